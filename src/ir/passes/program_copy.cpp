#include "program_copy.hpp"

#include <utility>

#include "dse/base/check.hpp"

namespace dse::ir {

Program without_computations(const Program& from) {
    Program to;
    to.name = from.name;
    to.language = from.language;
    to.replicas = from.replicas;
    to.partitions = from.partitions;
    to.partitioned = from.partitioned;
    to.types = from.types;
    to.names = from.names;
    to.meshes = from.meshes;
    to.aliases = from.aliases;
    to.attributes = from.attributes;
    to.shardings = from.shardings;
    return to;
}

ProgramCopy::ProgramCopy(const Program& from)
    : from_{from}, to_{without_computations(from)}, builder_{to_}, values_(from.values.size()) {}

Program ProgramCopy::take() {
    return std::move(to_);
}

ValueId ProgramCopy::operator[](ValueId old) const {
    DSE_REQUIRE(has(old));
    return *values_[old.index()];
}

ComputationId ProgramCopy::open(ComputationId old) {
    const Computation& computation = from_[old];
    const ComputationId now = builder_.computation(from_.text(computation.name), computation.line);
    for (const ValueId argument : computation.arguments) {
        const Value& value = from_[argument];
        if (value.operation < 0) set(argument, builder_.argument(now, value.type, value.sharding));
    }
    return now;
}

void ProgramCopy::close(ComputationId old, ComputationId now) {
    std::vector<ValueId> results;
    results.reserve(from_[old].results.size());
    for (const ValueId result : from_[old].results) results.push_back((*this)[result]);
    builder_.results(now, results);
    to_.computations[now.index()].result_shardings = from_[old].result_shardings;
    // Adds arguments that are results of operations.
    Computation& computation = to_.computations[now.index()];
    if (!computation.arguments.empty()) return;
    for (const ValueId argument : from_[old].arguments) computation.arguments.push_back((*this)[argument]);
}

void ProgramCopy::copy(const Operation& operation, ComputationId into,
                       std::span<const ComputationId> called) {
    operands_.clear();
    for (const ValueId operand : from_.operands(operation)) operands_.push_back((*this)[operand]);
    types_.clear();
    for (std::size_t i = 0; i < operation.results.count; ++i)
        types_.push_back(from_.type_of(Program::result(operation, i)));
    ProgramBuilder::Draft draft = ProgramBuilder::like(operation);
    draft.operands = operands_;
    draft.results = types_;
    draft.called = called;
    const Operation added = builder_.append(into, draft);
    for (std::size_t i = 0; i < operation.results.count; ++i) {
        const ValueId old = Program::result(operation, i);
        const ValueId now = Program::result(added, i);
        to_.values[now.index()].sharding = from_[old].sharding;
        set(old, now);
    }
}

}  // namespace dse::ir
