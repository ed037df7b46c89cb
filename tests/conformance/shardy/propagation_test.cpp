#include "ir/partition/propagation.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/shardy/checked_layouts.hpp"
#include "dse/base/error.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "ir/partition/common_mesh.hpp"

namespace dse::conformance {
namespace {

using ir::Computation;
using ir::Operation;
using ir::Program;
using ir::ValueId;
using ir::partition::SlotLayout;
using ir::partition::Slots;

// Layouts of a function's values, behind propagation.
class Propagated {
  public:
    explicit Propagated(const Program& program) : program_{program}, slots_{program} {
        mesh_ = program.meshes[ir::partition::mesh_of(program).index()];
        layouts_ = ir::partition::layouts_before(program, slots_);
        ir::partition::propagate(ir::partition::relations(program, slots_), layouts_);
    }

    [[nodiscard]] FoundLayouts of(const std::string& function) const {
        for (const Computation& computation : program_.computations)
            if (program_.text(computation.name) == function) return of(computation);
        throw InputError("no function " + function);
    }

  private:
    [[nodiscard]] FoundLayouts of(const Computation& computation) const {
        FoundLayouts found;
        for (const ValueId argument : computation.arguments) found.arguments.push_back(text(argument));
        const bool entry = &computation == &program_[program_.entry];
        for (std::size_t i = 0; i < computation.results.size(); ++i)
            found.results.push_back(entry ? text(slots_.returned(i)) : text(computation.results[i]));
        add(computation, found);
        return found;
    }

    void add(const Computation& computation, FoundLayouts& found) const {
        for (const Operation& operation : computation.operations) {
            std::string name{program_.text(operation.name)};
            if (name == "sdy.sharding_constraint") name = "sdy.reshard";  // what becomes of it
            if (name == "stablehlo.constant") name = "sdy.constant";
            if (name.ends_with("call") && !name.starts_with("stablehlo")) name = "call";
            FoundLayouts::Operation now{name, {}, {}};
            for (std::size_t i = 0; i < operation.results.count; ++i) {
                const ValueId result = Program::result(operation, i);
                now.results.push_back(text(result));
                now.ranks.push_back(program_.types[program_.type_of(result)].sizes.size());
            }
            found.operations.push_back(std::move(now));
            if (name != "call")
                for (const ir::ComputationId region : program_.called(operation))
                    add(program_[region], found);
        }
    }

    [[nodiscard]] std::string text(ValueId value) const {
        return slots_.count(value) == 1 ? text(slots_.of(value)) : std::string{};
    }
    [[nodiscard]] std::string text(ir::partition::SlotId slot) const {
        return dimensions_of(notation(layouts_[slot.index()].dimensions, mesh_));
    }

    const Program& program_;
    Slots slots_;
    ir::DeviceMesh mesh_;
    std::vector<SlotLayout> layouts_;
};

struct Tally {
    std::size_t equal{0};
    std::size_t shardings{0};
    std::multimap<std::string, std::string> differing;  ///< function → first difference
    std::multimap<std::string, std::string> refused;
};

[[nodiscard]] Tally held_against(const std::string& path) {
    Tally tally;
    for (const LitFunction& function : LitFile{path}.functions()) {
        if (function.checks.empty()) continue;
        try {
            const Program program = ir::read_mlir(ir::Source::text(function.module, function.name));
            const CheckedLayouts checked{function, Propagated{program}.of(function.name)};
            tally.shardings += checked.compared();
            if (checked.differences().empty())
                ++tally.equal;
            else
                tally.differing.emplace(function.name, checked.differences().front());
        } catch (const std::exception& error) {
            tally.refused.emplace(function.name, error.what());
        }
    }
    for (const auto& [name, why] : tally.differing) std::cout << "differs: " << name << ": " << why << '\n';
    for (const auto& [name, why] : tally.refused) std::cout << "refused: " << name << ": " << why << '\n';
    std::cout << tally.equal << " functions equal (" << tally.shardings << " shardings), "
              << tally.differing.size() << " differ, " << tally.refused.size() << " refused\n";
    return tally;
}

class ShardyPropagation : public ConformanceData {};

// More of its tests, where $DSE_SHARDY names a checkout of it. Most of these run one pass of the pipeline and
// check what it leaves; ours runs all of them, and spreads more: as many functions as are equal must stay so.
TEST(ShardyCheckout, SpreadsAsItsPipeline) {
    const char* folder = std::getenv("DSE_SHARDY");
    if (folder == nullptr) GTEST_SKIP() << "DSE_SHARDY names no folder";
    constexpr std::array<std::pair<const char*, std::size_t>, 8> least_equal{{
        {"propagation_pipeline", 45},
        {"basic_propagation", 60},
        {"aggressive_propagation", 21},
        {"op_priority_propagation", 11},
        {"user_priority_propagation", 15},
        {"sharding_group_propagation", 8},
        {"basic_propagation_data_flow_edges", 5},
        {"basic_propagation_manual_computation", 23},
    }};
    for (const auto& [file, least] : least_equal) {
        std::cout << "---- " << file << '\n';
        const Tally tally = held_against(
            folder + std::string{"/shardy/dialect/sdy/transforms/propagation/test/"} + file + ".mlir");
        EXPECT_GE(tally.equal, least) << file;
    }
}

TEST_F(ShardyPropagation, SpreadsAsItsPipeline) {
    const Tally tally = held_against(path("ir/stablehlo/shardy_propagation_propagation_pipeline.mlir"));
    EXPECT_GE(tally.equal, 45U);
    EXPECT_LE(tally.differing.size(), 6U);
    EXPECT_LE(tally.refused.size(), 6U);
}

}  // namespace
}  // namespace dse::conformance
