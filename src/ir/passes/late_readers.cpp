#include "late_readers.hpp"

#include <algorithm>
#include <map>

#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir {
namespace {

bool may_wait(Opcode opcode) {
    if (opcode == Opcode::parameter || opcode == Opcode::terminator) return false;
    if (opcode == Opcode::wait || traits(opcode).ends_communication) return true;
    switch (opcode_class(opcode)) {
        case OpcodeClass::elementwise:
        case OpcodeClass::transcendental:
        case OpcodeClass::reduction:
        case OpcodeClass::movement:
        case OpcodeClass::bookkeeping:
            return true;
        default:
            return false;
    }
}

/// By operation: whether only results of the computation depend on it, through operations that may be
/// deferred.
std::vector<char> finishing(const Program& program, const Uses& uses, ComputationId id) {
    const auto& operations = program[id].operations;
    std::vector<char> result(operations.size(), 0);
    for (std::size_t i = operations.size(); i-- > 0;) {
        bool finishes = may_wait(operations[i].opcode);
        for (std::size_t r = 0; finishes && r < operations[i].results.count; ++r) {
            const auto& readers = uses.of(Program::result(operations[i], r));
            finishes = std::all_of(readers.begin(), readers.end(), [&](const Uses::Place& place) {
                return place.computation == id &&
                       (place.operation < 0 || result[static_cast<std::size_t>(place.operation)] != 0);
            });
        }
        result[i] = finishes ? 1 : 0;
    }
    return result;
}

/// By operation: the position to which it is deferred; 0: it is not.
std::vector<std::size_t> put_off_until(const Program& program, const Uses& uses, ComputationId id,
                                       const std::vector<std::size_t>& until) {
    const auto& operations = program[id].operations;
    const std::vector<char> finishes = finishing(program, uses, id);
    std::vector<std::size_t> result(operations.size(), 0);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        if (finishes[i] == 0) continue;
        for (const ValueId operand : program.operands(operations[i])) {
            const Value& made = program[operand];
            if (made.owner != id || made.operation < 0) continue;
            const auto source = static_cast<std::size_t>(made.operation);
            result[i] = std::max({result[i], result[source], until[source]});
        }
    }
    return result;
}

}  // namespace

std::vector<std::size_t> with_late_readers(const Program& program, const Uses& uses, ComputationId id,
                                           const NewOrder& order, const std::vector<std::size_t>& until) {
    const auto& operations = program[id].operations;
    const std::vector<std::size_t> put_off = put_off_until(program, uses, id, until);
    std::vector<std::size_t> result;
    // Operations that depend on a deferred one are deferred at least as far, and so never precede it.
    std::map<std::size_t, std::vector<std::size_t>> waiting;
    std::size_t passed = 0;
    const auto let_go = [&](std::size_t place) {
        for (passed = std::max(passed, place); !waiting.empty() && waiting.begin()->first <= passed;) {
            result.insert(result.end(), waiting.begin()->second.begin(), waiting.begin()->second.end());
            waiting.erase(waiting.begin());
        }
    };
    for (const std::size_t i : order.operations) {
        if (operations[i].opcode == Opcode::terminator) let_go(operations.size());
        if (put_off[i] > passed) {
            waiting[put_off[i]].push_back(i);
            continue;
        }
        if (put_off[i] == 0 && order.moved[i] == 0) let_go(i);
        result.push_back(i);
    }
    let_go(operations.size());
    return result;
}

}  // namespace dse::ir
