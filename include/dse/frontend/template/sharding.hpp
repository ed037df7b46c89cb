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

    /// Layout of a tensor with these letters that suits the operation.
    [[nodiscard]] Layout layout(std::string_view letters) const;
    /// The axes over which a result with these letters is only a partial sum: those that split letters which
    /// it does not have.
    [[nodiscard]] graph::AxisSet partial(std::string_view letters) const;

    /// Marks an operation that changes the folding (Operation::Refolding): a row corresponds to a token, so
    /// that tensors with one of these letters are not partial sums over the axes of the other.
    void set_refolding() { refolding_ = true; }
    /// Excludes axes: no letter is split over them.
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
    own,         ///< its own share (training, and experts that several groups share)
    everywhere,  ///< all of them, to its local experts: the experts are distributed over this group only, and
                 ///< a sum over it is the only communication (serving engines without data-parallel
                 ///< attention)
};

/// Sharding of a block on a mesh: a layout for each tensor, letter axes for each operation.
struct Sharding {
    std::vector<Layout> layouts;      ///< by TensorId, as produced; results may be partial sums
    std::vector<LetterAxes> letters;  ///< by operation
    /// By operation: the axes over which all of its operands, and therefore its results, remain partial sums.
    std::vector<graph::AxisSet> unreduced;
    graph::AxisSet active;  ///< axes with more than one device
    Layout entry;           ///< layout of the input
    Layout exit;            ///< layout of the output
};

/// The axes over which a parameter is replicated and its gradient is summed: the data axes of the folding
/// that it belongs to. A parameter belongs to the experts if its declared split contains an expert axis.
graph::AxisSet replicas_of(const Tensor& parameter);

/// All possible values of replicas_of: for experts, and for everything else.
inline constexpr std::array<graph::AxisSet, 2> every_replica_axes{graph::MeshAxis::expert_data,
                                                                  graph::replica_axes};

/// Propagates the declared splits through the operations, in order. Within an operation, a mesh axis splits
/// one letter. Parameters, which are never moved, have precedence, then the other operands in order. An
/// operand that is split differently must be gathered; one that is a partial sum must be reduced, unless the
/// operation is linear and its operands are partial sums over the same axes that nothing else reads.
/// A parameter is added to such a sum (a bias behind a row-parallel product) in the layout in which the next
/// operation reads the result, behind the reduction; if that operation is itself linear, before it.
/// An operation uses a single folding of the devices unless its purpose is to change it.
/// \param active  axes with more than one device; all others are ignored
Sharding shard(const Block& block, graph::AxisSet active, config::Diagnostics& diagnostics,
               RoutedTokens routed = RoutedTokens::own);

}  // namespace dse::frontend
