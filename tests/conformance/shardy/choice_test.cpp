#include "ir/partition/choice.hpp"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/shardy/lit_file.hpp"
#include "conformance/shardy/sharding_notation.hpp"
#include "dse/base/error.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "ir/partition/common_mesh.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::conformance {
namespace {

using ir::Operation;
using ir::Program;
using ir::partition::Axes;
using ir::partition::Layout;

// How a product is computed: where its operands and its result lie, and what is summed.
struct Way {
    std::vector<std::string> arrays;
    std::string summed;
    friend bool operator==(const Way&, const Way&) = default;

    [[nodiscard]] std::string text() const {
        std::string text;
        for (const std::string& array : arrays) text += (array.empty() ? "whole" : array) + " ";
        return text + "summed over " + (summed.empty() ? "nothing" : summed);
    }
};

const Operation* product_of(const Program& program) {
    const Operation* found = nullptr;
    for (const Operation& operation : program[program.entry].operations) {
        if (operation.opcode != ir::Opcode::dot) continue;
        if (found != nullptr) return nullptr;
        found = &operation;
    }
    return found;
}

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// From the checks: reshards of operands, the product, the sum behind it.
std::optional<Way> expected_way(const LitFunction& function, const std::vector<std::string>& stated) {
    static const std::regex reshard{R"(%\[\[(\w+):\.\*\]\] = sdy\.reshard %arg\d+ (<@[^>]*>))"};
    static const std::regex product{R"(stablehlo\.dot(?:_general)? %(\S+), %(\S+?),? .*(<@[^>]*>))"};
    static const std::regex sum{R"(sdy\.all_reduce (\{[^}]*\}))"};
    std::map<std::string, std::string> moved;
    std::optional<Way> way;
    for (const std::string& check : function.checks) {
        std::smatch found;
        if (!way && std::regex_search(check, found, reshard))
            moved.emplace("[[" + found[1].str() + "]]", dimensions_of(found[2].str()));
        else if (!way && std::regex_search(check, found, product)) {
            way.emplace();
            for (std::size_t i = 0; i < 2; ++i) {
                const std::string operand = found[i + 1];
                if (operand.starts_with("arg"))
                    way->arrays.push_back(stated.at(static_cast<std::size_t>(operand[3] - '0')));
                else if (moved.contains(operand))
                    way->arrays.push_back(moved.at(operand));
                else
                    return std::nullopt;
            }
            way->arrays.push_back(dimensions_of(found[3].str()));
        } else if (way && way->summed.empty() && std::regex_search(check, found, sum)) {
            way->summed = without_blanks(found[1]);
        }
    }
    return way;
}

class ShardyChoice : public ConformanceData {};

// Of products whose way is not XLA's (product_way): Shardy prefers little communication of another measure
// (elements that lie in factors' axes); ours are bytes that devices send. Where both differ neither need be
// wrong, so that ours are counted, and shown.
TEST_F(ShardyChoice, OfProducts) {
    std::size_t equal = 0;
    std::size_t differ = 0;
    std::size_t apart = 0;
    const auto functions =
        LitFile{path("ir/stablehlo/shardy_export_insert_explicit_reshards_dot_dot_general.mlir")}.functions();
    for (const LitFunction& function : functions) {
        const Program program = ir::read_mlir(ir::Source::text(function.module, function.name));
        const Operation* product = product_of(program);
        if (product == nullptr || function.module.find("{\"") == std::string::npos ||
            function.module.find("unreduced") != std::string::npos) {
            ++apart;
            continue;
        }
        const ir::DeviceMesh& mesh = program.meshes[ir::partition::mesh_of(program).index()];
        const ir::partition::Slots slots{program};
        const auto layouts = ir::partition::layouts_before(program, slots);
        std::vector<std::string> stated;
        for (const ir::ValueId argument : program[program.entry].arguments)
            stated.push_back(dimensions_of(notation(layouts[slots.of(argument).index()].dimensions, mesh)));
        const std::optional<Way> expected = expected_way(function, stated);
        const auto relations = ir::partition::relations(program, slots);
        const auto relation = std::find_if(relations.begin(), relations.end(), [product](const auto& each) {
            return each.made == Program::result(*product);
        });
        if (!expected || relation == relations.end()) {
            ++apart;
            continue;
        }
        std::vector<ir::partition::Placed> placed;
        for (const ir::partition::SlotId slot : relation->tensors)
            placed.push_back({&layouts[slot.index()].dimensions});
        const std::vector<Axes> axes = chosen_axes(*relation, slots, placed, ir::partition::Aim::parallelism);
        Way is;
        for (std::size_t t = 0; t < relation->tensors.size(); ++t)
            is.arrays.push_back(dimensions_of(
                notation(ir::partition::layout_of(relation->rule(), relation->factors(t), axes), mesh)));
        Axes summed = ir::partition::partial_axes(relation->rule(), axes);
        std::sort(summed.begin(), summed.end(), [](const ir::AxisRef& a, const ir::AxisRef& b) {
            return std::pair{a.axis, a.pre_size} < std::pair{b.axis, b.pre_size};
        });
        // Not every check speaks of the sum; the operands' layouts imply it.
        if (!summed.empty() && !expected->summed.empty()) is.summed = notation(summed, mesh);
        is == *expected ? ++equal : ++differ;
        if (!(is == *expected))
            std::cout << function.name << "\n  is       " << is.text() << "\n  expected " << expected->text()
                      << '\n';
    }
    std::cout << equal << " products equal, " << differ << " differ, " << apart
              << " functions of other kinds\n";
    EXPECT_GE(equal, 49U);
    EXPECT_LE(differ, 13U);
}

}  // namespace
}  // namespace dse::conformance
