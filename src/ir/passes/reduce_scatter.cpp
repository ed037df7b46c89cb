#include "dse/ir/passes/reduce_scatter.hpp"

#include <utility>

#include "program_copy.hpp"
#include "uses.hpp"

namespace dse::ir {
namespace {

/// Members of an operation's groups.
std::int64_t group_size(const Program& program, const Communication& communication) {
    if (communication.group_size > 0) return communication.group_size;
    std::int64_t everybody = program.devices();
    if (communication.mode == GroupMode::cross_replica) everybody = program.replicas;
    if (communication.mode == GroupMode::cross_partition) everybody = program.partitions;
    const bool whole_replicas = communication.mode == GroupMode::cross_replica_and_partition;
    if (whole_replicas && !communication.groups.everybody())
        return communication.groups.size(program.replicas) * program.partitions;
    return communication.groups.size(everybody);
}

class Creator {
  public:
    explicit Creator(const Program& program) : program_{program}, uses_{program}, copy_{program} {}

    Program run() {
        for (std::size_t c = 0; c < program_.computations.size(); ++c) {
            const ComputationId now = copy_.open(ComputationId{c});
            for (const Operation& operation : program_[ComputationId{c}].operations) add(operation, now);
            copy_.close(ComputationId{c}, now);
        }
        Program result = copy_.take();
        result.entry = program_.entry;
        return result;
    }

  private:
    /// The slice that is all that is read of an all-reduce; nullptr where there is none such.
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
