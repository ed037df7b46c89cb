#include "dse/ir/passes/inline_calls.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "dse/ir/program/program_error.hpp"
#include "ir/program/deepest_call.hpp"
#include "ir/program/fused_attention.hpp"
#include "ir/program/repeats.hpp"
#include "rewriter.hpp"

namespace dse::ir {
namespace {

// Functions that each call others twice are short texts with more operations than fit into memory.
constexpr std::size_t most_operations = std::size_t{1} << 21U;
// Labels of calls nested beyond this length are dropped.
constexpr std::size_t longest_path = 1000;

bool states_shardings(const Program& program, const std::vector<ValueId>& values) {
    return std::any_of(values.begin(), values.end(),
                       [&program](ValueId value) { return program[value].sharding != no_sharding; });
}

// A boundary with stated layouts, which inlining would lose.
bool states_shardings(const Program& program, const Operation& call, const Computation& callee) {
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < call.results.count; ++i) results.push_back(Program::result(call, i));
    return states_shardings(program, results) || states_shardings(program, callee.arguments) ||
           std::any_of(callee.result_shardings.begin(), callee.result_shardings.end(),
                       [](ShardingId sharding) { return sharding != no_sharding; });
}

bool is_call(const Program& program, const Operation& operation, Inlined which) {
    const bool is_function =
        operation.opcode == Opcode::call || operation.opcode == Opcode::named_computation;
    if (is_attention_composite(program, operation)) return false;
    const bool is_other =
        operation.opcode == Opcode::composite || operation.opcode == Opcode::manual_computation;
    if (!is_function && !(is_other && which == Inlined::everything)) return false;
    if (program.called(operation).empty()) return false;
    const Computation& callee = program[program.called(operation).front()];
    // A function that is only declared has no body to inline.
    if (callee.operations.empty()) return false;
    return which == Inlined::everything || !states_shardings(program, operation, callee);
}

class Inliner final : public Rewriter {
  public:
    Inliner(const Program& program, Inlined which) : Rewriter{program}, which_{which} {}

  private:
    void add(const Operation& operation, ComputationId into) override {
        if (++depth_ > deepest_call)
            throw ProgramError(operation.line, "the program's calls are nested too deeply");
        if (is_call(program(), operation, which_)) {
            enter(operation, into);
        } else {
            place(operation, into);
        }
        --depth_;
    }

    void place(const Operation& operation, ComputationId into) {
        if (++operations_ > most_operations)
            throw ProgramError(operation.line,
                               fmt::format("'{}' has more than {} operations once its calls are inlined",
                                           program().name, most_operations));
        if (is_attention_composite(program(), operation)) {
            Operation kernel = operation;
            kernel.opcode = Opcode::custom_call;
            values().copy(kernel, into, {});
            return;
        }
        Operation placed = operation;
        if (!scope_.empty()) placed.label = builder().name(path(operation));
        copy(placed, into);
    }

    /// The label of an operation at its new place: JAX's names are relative to the call of the function.
    [[nodiscard]] std::string path(const Operation& operation) const {
        const std::string_view label = program().text(operation.label);
        if (label.empty() || scope_.empty() || scope_.size() > longest_path) return std::string{label};
        const std::string_view outermost = std::string_view{scope_}.substr(0, scope_.find('/') + 1);
        return label.starts_with(outermost) ? std::string{label} : fmt::format("{}/{}", scope_, label);
    }

    /// Requires that arguments and results of the body match those of the call.
    void require_fit(const Operation& call, const Computation& body) const {
        const std::size_t given = call.operands.count;
        const std::size_t taken = call.results.count;
        if (given == body.arguments.size() && taken == body.results.size()) return;
        throw ProgramError(call.line, fmt::format("'{}' passes {} operands and takes {} results, but its "
                                                  "callee has {} arguments and {} results",
                                                  program().text(call.name), given, taken,
                                                  body.arguments.size(), body.results.size()));
    }

    void enter(const Operation& call, ComputationId into) {
        const ComputationId callee = program().called(call).front();
        const Computation& body = program()[callee];
        require_fit(call, body);
        const auto operands = program().operands(call);
        for (std::size_t i = 0; i < operands.size(); ++i)
            values().set(body.arguments[i], values()[operands[i]]);
        const std::string around = scope_;
        // Labels of HLO are full paths, or names of instructions.
        const bool is_scope = program().language == Language::mlir && call.label != no_name;
        if (is_scope) scope_ = path(call);
        for (const Operation& operation : body.operations) {
            if (operation.opcode != Opcode::parameter && operation.opcode != Opcode::terminator)
                add(operation, into);
        }
        scope_ = around;
        for (std::size_t i = 0; i < call.results.count; ++i)
            values().set(Program::result(call, i), values()[body.results[i]]);
    }

    Inlined which_;
    std::string scope_;  ///< labels of the calls that have been entered
    int depth_{0};
    std::size_t operations_{0};
};

}  // namespace

bool has_calls(const Program& program, Inlined which) {
    const auto is_replaced = [&](const Operation& operation) {
        return is_call(program, operation, which) || is_attention_composite(program, operation);
    };
    return std::any_of(
        program.computations.begin(), program.computations.end(), [&](const Computation& computation) {
            return std::any_of(computation.operations.begin(), computation.operations.end(), is_replaced);
        });
}

Program inline_calls(const Program& program, Inlined which) {
    Program result = Inliner{program, which}.run();
    mark_repeats(result);  // labels now start with those of the calls
    return result;
}

}  // namespace dse::ir
