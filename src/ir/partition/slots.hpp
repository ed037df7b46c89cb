#pragma once

#include <cstdint>
#include <vector>

#include "dse/ir/program.hpp"
#include "ir/partition/factor_rule.hpp"

namespace dse::ir::partition {

using SlotId = Id<struct SlotTag>;

/// The arrays of a program, each of which lies on the mesh in one way: one slot a value, of a tuple one for
/// each of its leaves, depth first.
class Slots {
  public:
    explicit Slots(const Program& program);

    [[nodiscard]] std::size_t size() const { return types_.size(); }
    /// Leaves of a value; of an array 1, of a token and the like 0.
    [[nodiscard]] std::size_t count(ValueId value) const {
        return first_[value.index() + 1] - first_[value.index()];
    }
    [[nodiscard]] SlotId of(ValueId value, std::size_t leaf = 0) const {
        return SlotId{first_[value.index()] + leaf};
    }
    [[nodiscard]] const Type& type(SlotId slot) const { return *types_[slot.index()]; }
    [[nodiscard]] double bytes(SlotId slot) const { return bytes_[slot.index()]; }

  private:
    void add(const Program& program, TypeId type);

    std::vector<std::uint32_t> first_;  ///< by value, and one more
    std::vector<const Type*> types_;
    std::vector<double> bytes_;
};

/// What ties the layouts of some slots together: an operation's rule, or a data-flow edge.
struct Relation {
    FactorRule rule;
    std::vector<SlotId> tensors;  ///< operands, then results, as in the rule
    Turn turn{Turn::first};

    [[nodiscard]] const FactorRule::Tensor& factors(std::size_t tensor) const {
        return tensor < rule.operands.size() ? rule.operands[tensor]
                                             : rule.results[tensor - rule.operands.size()];
    }
};

/// All relations of a program: rules of its operations, and edges between what while loops, calls, branches,
/// tuples and barriers carry and where they carry it.
std::vector<Relation> relations(const Program& program, const Slots& slots);

}  // namespace dse::ir::partition
