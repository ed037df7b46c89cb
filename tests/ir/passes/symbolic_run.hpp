#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::test {

/// A value as the term that it is: equal terms come of equal operations on equal operands.
struct Term {
    std::uint64_t id{0};
    std::optional<std::int64_t> number{};  ///< of integers that are known: loops count with them
    std::vector<Term> members{};           ///< of a tuple
};

/// Runs a program on terms: loops as often as their conditions say, each operation a function of its line,
/// its opcode and its operands. Two programs that give equal results compute the same, whatever their order,
/// their loops and what they do in vain; what they did is counted by term.
class SymbolicRun {
  public:
    explicit SymbolicRun(const ir::Program& program) : program_{program} {
        std::vector<Term> arguments;
        for (std::size_t i = 0; i < 64; ++i) arguments.push_back({mix(std::uint64_t{1}, i)});
        for (const Term& result : run(program.entry, arguments)) results_.push_back(flat(result));
    }

    [[nodiscard]] const std::vector<std::uint64_t>& results() const { return results_; }
    /// How often each term was made; scalars, constants and bookkeeping left out.
    [[nodiscard]] const std::map<std::uint64_t, int>& made() const { return made_; }
    /// The same of one opcode: how often it ran.
    [[nodiscard]] int count(ir::Opcode opcode) const {
        const auto found = ran_.find(opcode);
        return found == ran_.end() ? 0 : found->second;
    }

  private:
    static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
        std::uint64_t x = a * 0x9e3779b97f4a7c15U + b + 0x7f4a7c15U;
        x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31U);
    }
    static Term of(std::int64_t number) {
        return {mix(std::uint64_t{2}, static_cast<std::uint64_t>(number)), number};
    }
    static std::uint64_t flat(const Term& term) {
        std::uint64_t id = term.members.empty() ? term.id : 3;
        for (const Term& member : term.members) id = mix(id, flat(member));
        return id;
    }

    std::vector<Term> run(ir::ComputationId id, const std::vector<Term>& arguments) {
        const ir::Computation& computation = program_[id];
        for (std::size_t i = 0; i < computation.arguments.size(); ++i)
            values_[computation.arguments[i]] = arguments.at(i);
        for (const ir::Operation& operation : computation.operations) {
            if (operation.opcode == ir::Opcode::terminator) continue;
            const std::vector<Term> results = run(operation, arguments);
            for (std::size_t i = 0; i < results.size(); ++i)
                values_[ir::Program::result(operation, i)] = results[i];
        }
        std::vector<Term> results;
        for (const ir::ValueId result : computation.results) results.push_back(values_.at(result));
        return results;
    }

    std::vector<Term> run(const ir::Operation& operation, const std::vector<Term>& arguments) {
        std::vector<Term> operands;
        for (const ir::ValueId operand : program_.operands(operation))
            operands.push_back(values_.at(operand));
        const auto called = program_.called(operation);
        switch (operation.opcode) {
            case ir::Opcode::parameter:
                return {arguments.at(index_of(operation))};
            case ir::Opcode::tuple:
                return {{0, std::nullopt, operands}};
            case ir::Opcode::get_tuple_element:
                return {operands[0].members.at(index_of(operation))};
            case ir::Opcode::optimization_barrier:
                return operands;
            case ir::Opcode::fusion:
                return run(called[0], operands);
            case ir::Opcode::while_loop:
                for (int i = 0; run(called[0], operands)[0].number.value() != 0; ++i) {
                    if (i == 1000) throw std::runtime_error("a loop that does not end");
                    operands = run(called[1], operands);
                }
                return operands;
            default:
                return compute(operation, operands);
        }
    }

    [[nodiscard]] std::size_t index_of(const ir::Operation& operation) const {
        return static_cast<std::size_t>(program_.attribute_if<ir::Index>(operation)->number);
    }

    std::vector<Term> compute(const ir::Operation& operation, const std::vector<Term>& operands) {
        const auto* literal = program_.attribute_if<ir::Literal>(operation);
        if (literal != nullptr && literal->integer) return {of(*literal->integer)};
        if (operands.size() == 2 && operands[0].number && operands[1].number) {
            const std::int64_t a = *operands[0].number;
            const std::int64_t b = *operands[1].number;
            if (operation.opcode == ir::Opcode::add) return {of(a + b)};
            if (operation.opcode == ir::Opcode::subtract) return {of(a - b)};
            if (operation.opcode == ir::Opcode::compare) return {of(a < b ? 1 : 0)};
        }
        std::uint64_t id = mix(operation.line, static_cast<std::uint64_t>(operation.opcode));
        for (const Term& operand : operands) id = mix(id, flat(operand));
        std::vector<Term> results;
        for (std::size_t i = 0; i < operation.results.count; ++i) results.push_back({mix(id, i)});
        const bool array = program_.types.elements(program_.type_of(ir::Program::result(operation))) > 1.0;
        if (array && operation.opcode != ir::Opcode::constant) {
            ++made_[id];
            ++ran_[operation.opcode];
        }
        return results;
    }

    const ir::Program& program_;
    std::map<ir::ValueId, Term> values_;
    std::vector<std::uint64_t> results_;
    std::map<std::uint64_t, int> made_;
    std::map<ir::Opcode, int> ran_;
};

}  // namespace dse::test
