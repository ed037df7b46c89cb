#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

using SlotId = Id<struct SlotTag>;

/// The places of a program whose layouts are chosen: one slot a leaf of a value (TypeTable::leaves: arrays,
/// but tokens and the like too, which lie in one way only). Values that must lie alike share their slots:
/// what a while loop carries, with the arguments of its condition and body, and with what goes in where no
/// iteration changes it (StableHLO's loops see their surroundings); members of a sharding group. What
/// the entry returns has slots of its own: it may lie otherwise than the value that is returned.
class Slots {
  public:
    explicit Slots(const Program& program);

    [[nodiscard]] std::size_t size() const { return types_.size(); }
    [[nodiscard]] std::size_t count(ValueId value) const {
        return first_[value.index() + 1] - first_[value.index()];
    }
    [[nodiscard]] SlotId of(ValueId value, std::size_t leaf = 0) const {
        return shared_[first_[value.index()] + leaf];
    }
    /// Of the entry's i-th result; as many as its value has.
    [[nodiscard]] SlotId returned(std::size_t result, std::size_t leaf = 0) const {
        return SlotId{returned_[result] + leaf};
    }
    [[nodiscard]] const Type& type(SlotId slot) const { return *types_[slot.index()]; }
    [[nodiscard]] double bytes(SlotId slot) const { return bytes_[slot.index()]; }

  private:
    void add(const Program& program, TypeId type);
    void share(const Program& program);
    void share(ValueId with, ValueId value);
    [[nodiscard]] SlotId root(SlotId slot) const;

    std::vector<std::uint32_t> first_;  ///< by value, and one more
    std::vector<SlotId> shared_;        ///< by place of a value's leaf
    std::vector<std::uint32_t> returned_;
    std::vector<const Type*> types_;
    std::vector<double> bytes_;
};

/// Whether a loop returns what it carries there as it got it.
bool is_invariant(const Program& program, const Operation& loop, std::size_t carried);

/// The number, among the leaves of its operand, of the first leaf that a get_tuple_element takes; nothing
/// where the operand has no such element.
std::optional<std::size_t> first_leaf(const Program& program, const Operation& element);

}  // namespace dse::ir::partition
