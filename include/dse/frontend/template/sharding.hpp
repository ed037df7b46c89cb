#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/block.hpp"

namespace dse::frontend {

/// Which mesh axes split each letter of an operation.
class LetterAxes {
  public:
    [[nodiscard]] workload::AxisSet of(char letter) const;
    void add(char letter, workload::AxisSet axes);
    [[nodiscard]] bool uses(workload::AxisSet axis) const { return !(used_ & axis).empty(); }

    /// Layout of a tensor with these letters that works with the operation.
    [[nodiscard]] Layout layout(std::string_view letters) const;
    /// The axes over which a tensor with these letters is only a partial sum once the operation has been done
    /// on every device: those of letters that it does not have.
    [[nodiscard]] workload::AxisSet partial(std::string_view letters) const;

  private:
    std::array<workload::AxisSet, 26> axes_{};
    workload::AxisSet used_;
};

/// How a block lies on a mesh: a layout for every tensor, letter axes for every operation.
struct Sharding {
    std::vector<Layout> layouts;      ///< by TensorId, as produced; results may be partial sums
    std::vector<LetterAxes> letters;  ///< by operation
    /// By operation: the axes over which its operands, all alike, stay partial sums; its results then are
    /// too.
    std::vector<workload::AxisSet> unreduced;
    Layout boundary;
};

/// Propagates the declared splits through the operations, in order. In an operation a mesh axis splits one
/// letter: parameters, which do not move, decide first, then the other operands in their order; an operand
/// that is split otherwise has to be gathered, one that is a partial sum has to be reduced, unless the
/// operation is linear and nothing else reads its operands, which are partial sums over the same axes. \param
/// active axes of more than one device; all others vanish
Sharding shard(const Block& block, workload::AxisSet active, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
