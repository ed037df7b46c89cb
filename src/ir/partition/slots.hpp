#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

using SlotId = Id<struct SlotTag>;

/// The places of a program whose layouts are chosen: one slot per leaf of a value (TypeTable::leaves: arrays,
/// but also tokens etc., which have only one layout). Values that must have the same layout share their
/// slots: the values carried by a while loop, the arguments of its condition and body, and its initial values
/// if no iteration changes them (StableHLO's loops can read outer values); members of a sharding group. The
/// entry's results have slots of their own, since their layouts may differ from those of the returned values.
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
    /// Slots of the entry's i-th result; as many as its value has.
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

    std::vector<std::uint32_t> first_;  ///< by value, plus the end
    std::vector<SlotId> shared_;        ///< by index of a value's leaf
    std::vector<std::uint32_t> returned_;
    std::vector<const Type*> types_;
    std::vector<double> bytes_;
};

/// Whether a loop passes a carried value on unchanged.
bool is_invariant(const Program& program, const Operation& loop, std::size_t carried);

/// The index, among the leaves of its operand, of the first leaf that a get_tuple_element selects; nothing if
/// the operand has no such element.
std::optional<std::size_t> first_leaf(const Program& program, const Operation& element);

}  // namespace dse::ir::partition
