#include "dse/ir/passes/inline_calls.hpp"

#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "program_copy.hpp"

namespace dse::ir {
namespace {

constexpr int deepest = 2000;
// Functions that call others twice, which do likewise, are short texts of more operations than there is
// memory.
constexpr std::size_t most_operations = std::size_t{1} << 21U;

bool is_call(const Program& program, const Operation& operation) {
    const bool calls = operation.opcode == Opcode::call || operation.opcode == Opcode::composite ||
                       operation.opcode == Opcode::named_computation ||
                       operation.opcode == Opcode::manual_computation;
    // Of a function that is only declared nothing could take the call's place.
    return calls && !program.called(operation).empty() &&
           !program[program.called(operation).front()].operations.empty();
}

class Inliner {
  public:
    explicit Inliner(const Program& program) : program_{program}, copy_{program} {}

    Program run() {
        const ComputationId entry = clone(program_.entry);
        Program result = copy_.take();
        result.entry = entry;
        return result;
    }

  private:
    ComputationId clone(ComputationId old) {
        // Computations of HLO see nothing of what stands around them, so that one copy serves all.
        const bool shared = program_.language == Language::hlo;
        const auto known = clones_.find(old.index());
        if (shared && known != clones_.end()) return known->second;
        const ComputationId now = copy_.open(old);
        clone_operations(old, now);
        copy_.close(old, now);
        if (shared) clones_.emplace(old.index(), now);
        return now;
    }

    void clone_operations(ComputationId old, ComputationId into) {
        if (++depth_ > deepest) throw ModelError("the program's calls are nested too deeply");
        for (const Operation& operation : program_[old].operations) {
            if (is_call(program_, operation)) {
                enter(operation, into);
            } else {
                copy(operation, into);
            }
        }
        --depth_;
    }

    void copy(const Operation& operation, ComputationId into) {
        if (++operations_ > most_operations)
            throw ModelError(fmt::format("'{}' has more than {} operations once its calls are inlined",
                                         program_.name, most_operations));
        std::vector<ComputationId> called;
        for (const ComputationId id : program_.called(operation)) called.push_back(clone(id));
        copy_.copy(operation, into, called);
    }

    /// Every value of the body and of the call has one that it stands for.
    void require_fit(const Operation& call, const Computation& body) const {
        const std::size_t given = call.operands.count;
        const std::size_t taken = call.results.count;
        if (given == body.arguments.size() && taken == body.results.size()) return;
        throw ModelError(fmt::format(
            "line {}: '{}' gives {} operands and takes {} results of what has {} arguments and {} results",
            call.line, program_.text(call.name), given, taken, body.arguments.size(), body.results.size()));
    }

    void enter(const Operation& call, ComputationId into) {
        const ComputationId callee = program_.called(call).front();
        const Computation& body = program_[callee];
        require_fit(call, body);
        const auto operands = program_.operands(call);
        for (std::size_t i = 0; i < operands.size(); ++i) copy_.set(body.arguments[i], copy_[operands[i]]);
        if (++depth_ > deepest) throw ModelError("the program's calls are nested too deeply");
        for (const Operation& operation : body.operations) {
            if (operation.opcode == Opcode::parameter || operation.opcode == Opcode::terminator) continue;
            if (is_call(program_, operation)) {
                enter(operation, into);
                continue;
            }
            copy(operation, into);
        }
        --depth_;
        for (std::size_t i = 0; i < call.results.count; ++i)
            copy_.set(Program::result(call, i), copy_[body.results[i]]);
    }

    const Program& program_;
    ProgramCopy copy_;
    std::unordered_map<std::size_t, ComputationId> clones_;
    int depth_{0};
    std::size_t operations_{0};
};

}  // namespace

Program inline_calls(const Program& program) {
    return Inliner{program}.run();
}

}  // namespace dse::ir
