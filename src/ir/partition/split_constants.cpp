#include "ir/partition/split_constants.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/partition/slots.hpp"
#include "ir/passes/rewriter.hpp"

namespace dse::ir::partition {
namespace {

bool keeps_constants(Opcode opcode) {
    switch (opcode_class(opcode)) {
        case OpcodeClass::elementwise:
            return opcode != Opcode::dropout;
        case OpcodeClass::transcendental:
            return true;
        default:
            return opcode == Opcode::broadcast || opcode == Opcode::reshape || opcode == Opcode::slice;
    }
}

class Splitter final : public Rewriter {
  public:
    explicit Splitter(const Program& program)
        : Rewriter{program},
          is_constant_(program.values.size(), false),
          kept_back_(program.values.size()),
          stays_(program.values.size()) {}

    SplitConstants split() {
        SplitConstants result{run(), {}};
        origins_.resize(result.program.values.size());
        result.origins = std::move(origins_);
        return result;
    }

  private:
    using Copies = std::map<ValueId, ValueId>;

    // An array that is written only when it is read; it then goes into its original computation.
    struct KeptBack {
        Operation operation;
        ComputationId into;
        std::optional<ValueId> first_copy{};
    };

    void add(const Operation& operation, ComputationId into) override {
        const bool constant = makes_constant(operation);
        if (operation.results.count == 1) is_constant_[Program::result(operation).index()] = constant;
        if ((constant || repeats_number(operation)) && !is_number(Program::result(operation))) {
            kept_back_[Program::result(operation).index()] = KeptBack{operation, into};
        } else {
            place(operation, into);
        }
    }

    void finish(ComputationId old, ComputationId now) override {
        for (const ValueId result : program()[old].results) returned(result, now);
    }

    void place(const Operation& operation, ComputationId into) {
        carry(operation);
        const std::vector<ComputationId> called = clones(program().called(operation));
        operands_.clear();
        for (const ValueId operand : program().operands(operation)) {
            if (operation.opcode == Opcode::terminator) {
                operands_.push_back(returned(operand, into));
            } else {
                Copies copies;
                operands_.push_back(read(operand, copies));
            }
        }
        append(operation, into, operands_, called);
    }

    // A constant that a loop carries unchanged: readers inside and after the loop read the constant itself.
    void carry(const Operation& operation) {
        for (std::size_t i = 0; i < operation.operands.count; ++i) {
            if (!is_invariant(program(), operation, i)) continue;
            const ValueId before = constant(program().operands(operation)[i]);
            const auto stays = [&](ValueId value) {
                is_constant_[value.index()] = is_constant_[before.index()];
                if (kept_back_[before.index()]) stays_[value.index()] = before;
            };
            stays(Program::result(operation, i));
            for (const ComputationId region : program().called(operation))
                if (i < program()[region].arguments.size()) stays(program()[region].arguments[i]);
        }
    }

    [[nodiscard]] ValueId constant(ValueId value) const { return stays_[value.index()].value_or(value); }

    // A computation returns the same copy that its terminator reads. Arguments that a loop carries unchanged
    // are passed on.
    ValueId returned(ValueId value, ComputationId now) {
        if (stays_[value.index()] && program()[value].operation < 0) return values()[value];
        const auto [found, is_new] = returned_.try_emplace({now, value}, value);
        if (is_new) {
            Copies copies;
            found->second = read(value, copies);
        }
        values().set(value, found->second);
        return found->second;
    }

    /// \param copies  those already made for this reader
    ValueId read(ValueId reading, Copies& copies) {
        const ValueId value = constant(reading);
        std::optional<KeptBack>& kept_back = kept_back_[value.index()];
        if (!kept_back) return values()[value];
        if (const auto known = copies.find(value); known != copies.end()) return known->second;
        std::vector<ValueId> operands;
        operands.reserve(kept_back->operation.operands.count);
        for (const ValueId operand : program().operands(kept_back->operation))
            operands.push_back(read(operand, copies));
        const Operation& added = append(kept_back->operation, kept_back->into, operands, {});
        const ValueId copy = Program::result(added);
        if (!kept_back->first_copy) kept_back->first_copy = copy;
        origins_.resize(copy.index() + 1);
        origins_[copy.index()] = kept_back->first_copy;
        return copies[value] = copy;
    }

    Operation append(const Operation& operation, ComputationId into, const std::vector<ValueId>& operands,
                     std::span<const ComputationId> called) {
        types_.clear();
        for (std::size_t i = 0; i < operation.results.count; ++i)
            types_.push_back(program().type_of(Program::result(operation, i)));
        ProgramBuilder::Draft draft = ProgramBuilder::like(operation);
        draft.operands = operands;
        draft.results = types_;
        draft.called = called;
        const Operation added = builder().append(into, draft);
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            const ValueId old = Program::result(operation, i);
            builder().program().values[Program::result(added, i).index()].sharding = program()[old].sharding;
            values().set(old, Program::result(added, i));
        }
        return added;
    }

    [[nodiscard]] bool makes_constant(const Operation& operation) const {
        if (operation.results.count != 1 || operation.called.count != 0) return false;
        const auto operands = program().operands(operation);
        if (operands.empty())
            return operation.opcode == Opcode::constant || operation.opcode == Opcode::iota ||
                   operation.opcode == Opcode::fill;
        return keeps_constants(operation.opcode) &&
               std::all_of(operands.begin(), operands.end(),
                           [this](ValueId operand) { return is_constant_[operand.index()]; });
    }

    [[nodiscard]] bool repeats_number(const Operation& operation) const {
        return operation.opcode == Opcode::broadcast && operation.results.count == 1 &&
               operation.operands.count == 1 && is_number(program().operands(operation)[0]);
    }

    [[nodiscard]] bool is_number(ValueId value) const {
        const Type& type = program().types[program().type_of(value)];
        return type.kind != Type::Kind::array || type.sizes.empty();
    }

    std::vector<bool> is_constant_;                   ///< by value
    std::vector<std::optional<KeptBack>> kept_back_;  ///< by value
    std::vector<std::optional<ValueId>> stays_;       ///< by carried value: the constant that it always is
    std::map<std::pair<ComputationId, ValueId>, ValueId> returned_;
    std::vector<std::optional<ValueId>> origins_;  ///< by new value
    // Of the operation being written, kept for their memory.
    std::vector<ValueId> operands_;
    std::vector<TypeId> types_;
};

}  // namespace

SplitConstants split_constants(const Program& program) {
    return Splitter{program}.split();
}

}  // namespace dse::ir::partition
