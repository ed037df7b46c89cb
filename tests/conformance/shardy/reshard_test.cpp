#include "ir/partition/reshard.hpp"

#include <cstddef>
#include <iostream>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/shardy/lit_file.hpp"
#include "conformance/shardy/sharding_notation.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::conformance {
namespace {

using ir::Program;
using ir::partition::Axes;
using ir::partition::Layout;
using ir::partition::ReshardStep;

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// What the checks expect: kind and axes of each collective, and the layout behind it.
std::vector<std::string> expected_steps(const LitFunction& function) {
    static const std::regex collective{
        R"(sdy\.(all_gather|all_slice|all_to_all|collective_permute) (\[[^%]*\])?\s*%.*out_sharding=(<@[^>]*>))"};
    std::vector<std::string> steps;
    for (const std::string& check : function.checks) {
        std::smatch found;
        if (std::regex_search(check, found, collective))
            steps.push_back(found[1].str() + " " + without_blanks(found[2]) + " to " +
                            dimensions_of(found[3].str()));
    }
    return steps;
}

// Ours in the same notation: neighbouring slices, and gathers, of several dimensions are one operation there.
class OurSteps {
  public:
    OurSteps(const std::vector<ReshardStep>& steps, const ir::DeviceMesh& mesh) : mesh_{mesh} {
        for (const ReshardStep& step : steps) add(step);
        flush();
    }
    std::vector<std::string> texts;

  private:
    using Kind = ReshardStep::Kind;

    void add(const ReshardStep& step) {
        const bool joins = step.kind == Kind::slice || step.kind == Kind::all_gather;
        if (!joins || kind_ != step.kind) flush();
        after_ = step.after;
        if (joins) {
            kind_ = step.kind;
            axes_.resize(step.after.size());
            axes_[step.from] = step.axes;
        } else if (step.kind == Kind::permute) {
            texts.push_back("collective_permute  to " + behind());
        } else {
            texts.push_back("all_to_all [" + notation(step.axes, mesh_) + ":" + std::to_string(step.from) +
                            "->" + std::to_string(step.to) + "] to " + behind());
        }
    }
    void flush() {
        if (kind_)
            texts.push_back(std::string{*kind_ == Kind::slice ? "all_slice " : "all_gather "} +
                            notation(axes_, mesh_) + " to " + behind());
        kind_.reset();
        axes_.clear();
    }
    [[nodiscard]] std::string behind() const { return dimensions_of(notation(after_, mesh_)); }

    const ir::DeviceMesh& mesh_;
    std::optional<Kind> kind_;
    Layout axes_;
    Layout after_;
};

std::vector<std::string> our_steps(const Program& program, const ir::Operation& reshard) {
    const auto& to = program.attribute_if<ir::Resharding>(reshard)->sharding;
    const ir::ValueId operand = program.operands(reshard)[0];
    const auto& stated = program.shardings[program[operand].sharding.index()];
    const ir::Type& type = program.types[program.type_of(operand)];
    const Layout layout = ir::partition::stated_layout(type, to, reshard.line);
    const Layout from =
        stated.empty() ? Layout(layout.size()) : ir::partition::stated_layout(type, stated[0], reshard.line);
    return OurSteps{ir::partition::reshard_steps(from, layout), program.meshes[to.mesh.index()]}.texts;
}

class ShardyReshard : public ConformanceData {};

// Reshards between meshes of other devices, of partial sums, and inside loops aside.
TEST_F(ShardyReshard, TakesItsCollectives) {
    std::size_t equal = 0;
    std::size_t differ = 0;
    std::size_t apart = 0;
    const auto functions =
        LitFile{path("ir/stablehlo/shardy_export_reshard_to_collectives.mlir")}.functions();
    for (const LitFunction& function : functions) {
        const Program program = ir::read_mlir(ir::Source::text(function.module, function.name));
        const ir::Operation* reshard = nullptr;
        std::size_t reshards = 0;
        for (const ir::Operation& operation : program[program.entry].operations)
            if (operation.opcode == ir::Opcode::reshard) {
                reshard = &operation;
                ++reshards;
            }
        if (reshards != 1 || function.module.find("unreduced") != std::string::npos ||
            function.name.find("mesh") != std::string::npos ||
            function.name.find("device") != std::string::npos) {
            ++apart;
            continue;
        }
        const auto is = our_steps(program, *reshard);
        const auto expected = expected_steps(function);
        is == expected ? ++equal : ++differ;
        if (is == expected) continue;
        std::cout << function.name << ":\n";
        for (const std::string& step : is) std::cout << "  is       " << step << '\n';
        for (const std::string& step : expected) std::cout << "  expected " << step << '\n';
    }
    std::cout << equal << " reshards equal, " << differ << " differ, " << apart << " are of other kinds\n";
    EXPECT_GE(equal, 30U);
}

}  // namespace
}  // namespace dse::conformance
