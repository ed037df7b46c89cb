#pragma once

#include <cstddef>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "uses.hpp"

namespace dse::ir {

/// When the values of the entry are defined and read, by position in its straight line, and where a training
/// step turns from its forward to its backward pass: where the most values are alive.
class SavedValues {
  public:
    SavedValues(const Program& program, const Uses& uses);

    [[nodiscard]] std::size_t turn() const { return turn_; }
    /// The operation of the entry that defines a value; −1 if none does.
    [[nodiscard]] std::int64_t made(ValueId value) const;
    /// The last operation of the entry before the turn that reads it; −1 if none does.
    [[nodiscard]] std::int64_t read_before_turn(ValueId value) const {
        return read_before_turn_[value.index()];
    }
    /// Whether it is defined before the turn and read after it, by operations of the entry only.
    [[nodiscard]] bool crosses(ValueId value) const;
    /// Whether it is a result or read by a region, and so has to be kept anyway.
    [[nodiscard]] bool is_pinned(ValueId value) const { return pinned_[value.index()] != 0; }
    /// Values defined before the turn.
    [[nodiscard]] const std::vector<ValueId>& forward() const { return forward_; }
    [[nodiscard]] double bytes(ValueId value) const { return program_.types.bytes(program_.type_of(value)); }

  private:
    void find_turn();

    const Program& program_;
    std::vector<std::int64_t> read_;              ///< by value: the last operation that reads it; −1: none
    std::vector<std::int64_t> read_before_turn_;  ///< by value
    std::vector<char> pinned_;                    ///< by value
    std::vector<ValueId> forward_;
    std::size_t turn_{0};
};

}  // namespace dse::ir
