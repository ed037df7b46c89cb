#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ir/partition/factor_rule.hpp"
#include "ir/partition/slots.hpp"

namespace dse::ir::partition {

/// Determines when and in which directions layouts propagate through an operation. Operations that keep
/// elements in their positions come first.
/// Source: Shardy, "op priority propagation"
enum class Passage : std::uint8_t {
    elementwise,  ///< also constraints
    through,      ///< reshapes, transposes, data-flow edges, copies to and from the host
    slides,       ///< dynamic slices and updates: forwards with `through`, backwards with `other`
    repeats,      ///< broadcasts: the operand adapts to the result; the reverse only in the last step
    other,        ///< contractions and everything else
    barrier,      ///< propagation barriers: only in the directions that they state
    returns       ///< results of the entry, and their layouts
};

/// Relates the layouts of several slots: an operation's rule or a data-flow edge.
struct Relation {
    std::shared_ptr<const FactorRule> shared_rule;  ///< may be that of many relations (RuleTable)
    std::vector<SlotId> tensors;                    ///< operands, then results, as in the rule
    Passage passage{Passage::other};
    /// Whether an operand other than a scalar has other readers, which may prefer another layout.
    bool shares_operands{false};
    Barrier allows{true, true};  ///< the directions that a barrier states
    /// The operation's first result; none for a data-flow edge.
    std::optional<ValueId> made{};

    /// \pre the relation has one
    [[nodiscard]] const FactorRule& rule() const { return *shared_rule; }
    [[nodiscard]] const FactorRule::Tensor& factors(std::size_t tensor) const {
        const std::size_t operands = rule().operands.size();
        return tensor < operands ? rule().operands[tensor] : rule().results[tensor - operands];
    }
};

/// All relations of a program, in the order in which Shardy visits them (reading_order): rules of its
/// operations, and data-flow edges from the sources to the targets of while loops, calls, branches, tuples,
/// barriers and the entry's results.
std::vector<Relation> relations(const Program& program, const Slots& slots);

Passage passage_of(Opcode opcode);

}  // namespace dse::ir::partition
