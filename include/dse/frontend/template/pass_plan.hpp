#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dse/frontend/template/conversion.hpp"
#include "dse/frontend/template/formula.hpp"
#include "dse/frontend/template/sharding.hpp"

namespace dse::frontend {

using VersionId = Id<struct VersionTag>;

/// A tensor, or its gradient, in one layout: a buffer of one device, or a name for others.
struct Version {
    TensorId tensor;
    bool gradient{false};
    Layout layout;
    bool gathered{false};  ///< made by a collective to be read, not part of the model's state
    /// The versions whose memory it is: a part of one, or several side by side. Empty: memory of its own.
    std::vector<VersionId> memory{};
    bool cast{false};  ///< in eight or four bits, as a product reads it
};

/// One kernel or collective of a pass, in issue order.
struct Step {
    std::string name;
    WorkFormula work;
    std::vector<VersionId> inputs;
    std::vector<VersionId> outputs;
    std::vector<VersionId> updates;  ///< written again, where they are
    bool reads_parameters{false};
    Amount workspace{};  ///< memory that it takes while it runs
};

/// The gradient of a parameter as a backward pass leaves it: still partial over these axes.
struct ParameterGradient {
    TensorId parameter;
    graph::AxisSet partial;
    std::size_t step{0};  ///< that adds to it; no_step: one of another part of the pass
};
inline constexpr std::size_t no_step = static_cast<std::size_t>(-1);

/// What one pass of a microbatch through one block does on one device: derived from the block, never written
/// by hand.
struct PassPlan {
    std::vector<Version> versions;
    std::vector<Step> steps;
    std::optional<VersionId> entry;  ///< boundary value (forward) or its gradient (backward) that comes in
    std::optional<VersionId> exit;   ///< the one that goes out
    /// Forward: what stays for the backward pass. Backward: the same, as it is found there.
    std::vector<VersionId> saved;
    std::vector<VersionId> stays;  ///< what this pass does not free, for another one does
    std::vector<ParameterGradient> gradients;
    double kernels{0.0};  ///< that the host launches
    /// Inference: what no block hands on to the first one, and the last one to no block, is the tokens of a
    /// step, which the next step is made of.
    bool loops{false};
};

/// By version, those with memory of their own behind it: itself, or what it is made of.
std::vector<std::vector<VersionId>> memory_of(const PassPlan& plan);

struct BlockPlans {
    PassPlan forward;
    PassPlan backward;
    /// The same backward pass in two: what the gradient of the boundary value needs, and the gradients of
    /// parameters that can wait (Qi et al. 2023).
    PassPlan input;
    PassPlan weight;
};

/// Derives both passes.
///  - Collectives stand where an operand does not lie as its operation wants it.
///  - Gradients: each operation's backward kernels with the sharding of its forward pass; contributions of
///  several
///    consumers are added before they are reduced (Megatron's order). A gradient lies as its tensor does,
///    with partial sums replicated: the transpose of a sum is a broadcast.
///  - What the backward pass reads is saved as it was produced, and gathered again (Korthikanti et al.,
///  section 4.2.2),
///    unless `stack.recompute` drops it: then the operations that made it run again, in the backward pass,
///    where it is first needed (selective), or all of the block at its start (full).
/// \param ring  context-parallel ranks: so many chunks has an operation whose operands go round
BlockPlans plan_passes(const Block& block, const Sharding& sharding, const graph::SoftwareStack& stack,
                       Extents& extents, std::int64_t ring = 1);

/// The forward pass alone, of which nothing stays but what goes on to the next block: inference.
BlockPlans plan_forward(const Block& block, const Sharding& sharding, const graph::SoftwareStack& stack,
                        Extents& extents, std::int64_t ring = 1);

/// Bytes of a tensor (or its gradient) in a layout.
Amount amount_of(const Tensor& tensor, bool gradient, const Layout& layout, Extents& extents);

/// Bytes of a version of one of the block's tensors.
Amount amount_of(const Block& block, const Version& version, Extents& extents);

}  // namespace dse::frontend
