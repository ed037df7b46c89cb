#include "dse/ir/passes/reduce_scatter.hpp"

#include <utility>

#include "ir/program/group_size.hpp"
#include "program_copy.hpp"
#include "uses.hpp"

namespace dse::ir {
namespace {

class Creator {
  public:
    explicit Creator(const Program& program) : program_{program}, uses_{program}, copy_{program} {}

    Program run() {
        return copy_.write_all([this](ComputationId old, ComputationId now) {
            for (const Operation& operation : program_[old].operations) add(operation, now);
        });
    }

  private:
    /// The slice that is the only reader of an all-reduce; nullptr if there is none.
    [[nodiscard]] const Operation* only_slice(const Operation& operation) const {
        if (operation.opcode != Opcode::all_reduce || operation.results.count != 1) return nullptr;
        const ValueId sum = Program::result(operation);
        const auto& users = uses_.of(sum);
        if (users.size() != 1 || users.front().operation < 0) return nullptr;
        const Computation& there = program_[users.front().computation];
        const Operation& user = there.operations[static_cast<std::size_t>(users.front().operation)];
        const auto* communication = program_.attribute_if<Communication>(operation);
        if (user.opcode != Opcode::dynamic_slice || communication == nullptr) return nullptr;
        if (users.front().computation != program_[sum].owner) return nullptr;
        const auto* part = program_.attribute_if<OwnPart>(user);
        if (part != nullptr && part->groups != communication->groups) return nullptr;
        const double share = program_.types.elements(program_.type_of(Program::result(user)));
        const auto members = static_cast<double>(group_size(program_, *communication));
        const bool own_share =
            members > 1 && share * members == program_.types.elements(program_.type_of(sum));
        return own_share ? &user : nullptr;
    }

    void add(const Operation& operation, ComputationId into) {
        if (operation.opcode == Opcode::dynamic_slice && copy_.has(Program::result(operation))) return;
        const Operation* slice = only_slice(operation);
        if (slice == nullptr) {
            const auto called = program_.called(operation);
            return copy_.copy(operation, into, called);  // computations keep their numbers
        }
        Communication communication = *program_.attribute_if<Communication>(operation);
        const Sizes& whole = program_.types[program_.type_of(Program::result(operation))].sizes;
        const Sizes& share = program_.types[program_.type_of(Program::result(*slice))].sizes;
        for (std::size_t d = 0; d < whole.size() && d < share.size(); ++d) {
            if (whole[d] != share[d]) communication.dimension = static_cast<std::int64_t>(d);
        }
        ProgramBuilder& builder = copy_.builder();
        std::vector<ValueId> operands;
        for (const ValueId operand : program_.operands(operation)) operands.push_back(copy_[operand]);
        const std::vector<TypeId> types{program_.type_of(Program::result(*slice))};
        const ValueId scattered =
            builder.value(into, {.opcode = Opcode::reduce_scatter,
                                 .name = builder.name("reduce_scatter"),
                                 .label = operation.label,
                                 .operands = operands,
                                 .results = types,
                                 .called = program_.called(operation),
                                 .attribute = builder.attribute(std::move(communication)),
                                 .line = operation.line});
        copy_.set(Program::result(*slice), scattered);
    }

    const Program& program_;
    Uses uses_;
    ProgramCopy copy_;
};

}  // namespace

Program create_reduce_scatters(const Program& program) {
    return Creator{program}.run();
}

}  // namespace dse::ir
