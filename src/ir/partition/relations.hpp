#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/partition/factor_rule.hpp"
#include "ir/partition/slots.hpp"

namespace dse::ir::partition {

/// When, and which way, layouts pass an operation: what leaves values in their places goes first.
/// Source: Shardy, "op priority propagation"
enum class Passage : std::uint8_t {
    elementwise,  ///< and constraints
    through,      ///< reshapes, transposes, data-flow edges, copies to and from the host
    slides,       ///< dynamic slices and updates: forwards as those, then as the others
    repeats,      ///< broadcasts: what is repeated should lie as what it meets, not that as it
    other,        ///< contractions and all else
    barrier,      ///< only the ways that it says
    returns       ///< what the entry returns, and how it is to lie there
};

/// What ties the layouts of some slots together: an operation's rule, or a data-flow edge.
struct Relation {
    FactorRule rule;
    std::vector<SlotId> tensors;  ///< operands, then results, as in the rule
    Passage passage{Passage::other};
    /// Some operand that is no scalar is read by others too: they may want it to lie otherwise.
    bool shares_operands{false};
    Barrier allows{true, true};  ///< of a barrier
    /// Of an operation's rule: its first result; none: it is a data-flow edge.
    std::optional<ValueId> made{};

    [[nodiscard]] const FactorRule::Tensor& factors(std::size_t tensor) const {
        return tensor < rule.operands.size() ? rule.operands[tensor]
                                             : rule.results[tensor - rule.operands.size()];
    }
};

/// All relations of a program, in the order in which Shardy meets them (reading_order): rules of its
/// operations, and edges between what while loops, calls, branches, tuples, barriers and the entry's results
/// carry and where they carry it.
std::vector<Relation> relations(const Program& program, const Slots& slots);

Passage passage_of(Opcode opcode);

}  // namespace dse::ir::partition
