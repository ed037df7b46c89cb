#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/block.hpp"

namespace dse::frontend {

/// Which mesh axes split each letter of an operation.
class LetterAxes {
  public:
    [[nodiscard]] graph::AxisSet of(char letter) const;
    void add(char letter, graph::AxisSet axes);
    [[nodiscard]] bool uses(graph::AxisSet axis) const { return !(used_ & axis).empty(); }

    /// Layout of a tensor with these letters that works with the operation.
    [[nodiscard]] Layout layout(std::string_view letters) const;
    /// The axes over which a tensor with these letters is only a partial sum once the operation has been done
    /// on every device: those of letters that it does not have.
    [[nodiscard]] graph::AxisSet partial(std::string_view letters) const;

    /// The operation changes the folding (Operation::Refolding): a row stands for a token, so that what has
    /// one of the two is no partial sum over the axes of the other.
    void set_refolding() { refolding_ = true; }
    /// No letter is split over these.
    void withhold(graph::AxisSet axes) { used_ = used_ | axes; }
    /// All axes that split some letter.
    [[nodiscard]] graph::AxisSet used() const { return used_; }

  private:
    std::array<graph::AxisSet, 26> axes_{};
    graph::AxisSet used_;
    bool refolding_{false};
};

/// Which tokens of a tensor-parallel group a device sends to the experts.
enum class RoutedTokens : std::uint8_t {
    own,         ///< those that it gets as its share (training, and experts that several groups share)
    everywhere,  ///< all of them, to the experts that are there: experts lie over that group alone, and a sum
                 ///< over it is all that is sent (serving engines without data-parallel attention)
};

/// How a block lies on a mesh: a layout for every tensor, letter axes for every operation.
struct Sharding {
    std::vector<Layout> layouts;      ///< by TensorId, as produced; results may be partial sums
    std::vector<LetterAxes> letters;  ///< by operation
    /// By operation: the axes over which its operands, all alike, stay partial sums; its results then are
    /// too.
    std::vector<graph::AxisSet> unreduced;
    graph::AxisSet active;  ///< axes of more than one device
    Layout entry;           ///< of what enters
    Layout exit;            ///< of what leaves
};

/// The axes over which copies of a parameter lie, and over which its gradient is summed: the data axis of the
/// folding that it belongs to. A parameter belongs to the experts when its declared split names one of their
/// axes.
graph::AxisSet replicas_of(const Tensor& parameter);

/// All that replicas_of may be: of experts, of everything else.
inline constexpr std::array<graph::AxisSet, 2> every_replica_axes{graph::MeshAxis::expert_data,
                                                                  graph::replica_axes};

/// Propagates the declared splits through the operations, in order. In an operation a mesh axis splits one
/// letter: parameters, which do not move, decide first, then the other operands in their order; an operand
/// that is split otherwise has to be gathered, one that is a partial sum has to be reduced, unless the
/// operation is linear and nothing else reads its operands, which are partial sums over the same axes.
/// An operation works in one folding of the devices, unless it is there to change it.
/// \param active  axes of more than one device; all others vanish
Sharding shard(const Block& block, graph::AxisSet active, config::Diagnostics& diagnostics,
               RoutedTokens routed = RoutedTokens::own);

}  // namespace dse::frontend
