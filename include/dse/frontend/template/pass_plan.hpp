#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dse/frontend/template/conversion.hpp"
#include "dse/frontend/template/formula.hpp"
#include "dse/frontend/template/sharding.hpp"

namespace dse::frontend {

using VersionId = Id<struct VersionTag>;

/// A tensor, or its gradient, in one layout: a buffer of a device, or a view of other versions.
struct Version {
    TensorId tensor;
    bool gradient{false};
    Layout layout;
    bool gathered{false};  ///< temporary result of a collective, not part of the model's state
    /// The versions that it is a view of: a part of one, or a concatenation. Empty: it has its own memory.
    std::vector<VersionId> memory{};
    bool cast{false};  ///< in eight or four bits, as a matrix product reads it
    /// A gradient of a parameter, in compute precision, that is added to those of earlier microbatches.
    bool unsummed{false};
};

/// One kernel or collective of a pass, in issue order.
struct Step {
    std::string name;
    WorkFormula work;
    std::vector<VersionId> inputs;
    std::vector<VersionId> outputs;
    std::vector<VersionId> updates{};  ///< updated in place
    bool reads_parameters{false};
    Amount workspace{};  ///< memory needed while it runs
};

/// The gradient of a parameter at the end of a backward pass: a partial sum over these axes.
struct ParameterGradient {
    TensorId parameter;
    graph::AxisSet partial;
    std::size_t step{0};  ///< index of the step that adds to it; no_step: a step of another part of the pass
};
inline constexpr std::size_t no_step = static_cast<std::size_t>(-1);

/// The work of one device for one pass of a microbatch through one block. Derived from the block.
struct PassPlan {
    std::vector<Version> versions;
    std::vector<Step> steps;
    std::optional<VersionId> entry;  ///< incoming boundary value (forward) or its gradient (backward)
    std::optional<VersionId> exit;   ///< outgoing boundary value or its gradient
    /// Forward: the values that are kept for the backward pass. Backward: the same values at its start.
    std::vector<VersionId> saved;
    std::vector<VersionId> stays;  ///< versions that another pass frees, not this one
    std::vector<ParameterGradient> gradients;
    LaunchFormula launches;  ///< of the host, for the kernels of this pass
    /// Inference: the tokens that the last block produces are the input of the first block in the next step.
    bool loops{false};
};

/// For each version, the versions that own its memory: itself, or those that it is a view of.
std::vector<std::vector<VersionId>> memory_of(const PassPlan& plan);

struct BlockPlans {
    PassPlan forward;
    PassPlan backward;
    /// For schedules that split it, the same backward pass in two parts: the gradient of the boundary value,
    /// and the gradients of parameters, which can be deferred (Qi et al. 2023). Made by split_backward().
    PassPlan input;
    PassPlan weight;
};

/// Derives both passes.
///  - A collective is inserted if an operand does not have the layout that its operation requires.
///  - Gradients: each operation's backward kernels use the sharding of its forward pass; contributions of
///    several consumers are added before they are reduced (Megatron's order). A gradient has the layout of
///    its tensor, but replicated where that is a partial sum: the transpose of a sum is a broadcast.
///  - Values that the backward pass reads are saved in the layout in which they were produced, and gathered
///    again (Korthikanti et al., section 4.2.2), unless `stack.recompute` drops them. Then the operations
///    that produce them are repeated in the backward pass: when a value is first needed (selective), or for
///    the whole block at its start (full).
/// \param ring  number of context-parallel ranks, and of chunks of an operation whose operands circulate
BlockPlans plan_passes(const Block& block, const Sharding& sharding, const graph::SoftwareStack& stack,
                       Extents& extents, std::int64_t ring = 1);

/// The forward pass alone, for inference: nothing is kept except the output to the next block.
BlockPlans plan_forward(const Block& block, const Sharding& sharding, const graph::SoftwareStack& stack,
                        Extents& extents, std::int64_t ring = 1);

/// Bytes of a tensor in a layout.
Amount amount_of(const Tensor& tensor, const Layout& layout, Extents& extents);

/// Bytes of its gradient.
Amount amount_of_gradient(const Tensor& tensor, const Layout& layout, Extents& extents);

/// Bytes of a version of one of the block's tensors.
Amount amount_of(const Block& block, const Version& version, Extents& extents);

}  // namespace dse::frontend
