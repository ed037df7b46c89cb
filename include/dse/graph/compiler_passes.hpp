#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::graph {

/// Which operations of a compiler's program run as one kernel.
enum class Fusion : std::uint8_t {
    automatic,    ///< the program's own fused kernels if it has any, else `full`
    none,         ///< every operation is a kernel of its own
    elementwise,  ///< chains of element-wise operations, with their broadcasts and a reduction at the end
    full,         ///< also across row reductions, into the results of matrix products, and across
                  ///< intermediate results that other operations read
};

/// When a collective is issued.
enum class CollectiveOrder : std::uint8_t {
    program,   ///< at its position in the program
    earliest,  ///< as soon as its operands are ready
    ahead,     ///< as soon as its operands are ready, but past a limited number of other collectives
};
DSE_CHOICES(CollectiveOrder, program, earliest, ahead);

/// Precision at which matrix products of 32-bit operands run on a device that supports TF32. Other devices
/// run them as fp32.
enum class Fp32Products : std::uint8_t {
    /// The default of the program's compiler. XLA: TF32, unless the program asks for the highest precision.
    /// PyTorch: fp32 for products, TF32 for convolutions.
    /// Source: XLA's GetBlasComputationType; PyTorch, "CUDA semantics", TensorFloat-32
    automatic,
    tf32,  ///< unless the program asks for the highest precision (PyTorch's float32 matmul precision "high")
    fp32,
};

std::span<const std::string_view> choice_names(Fusion);
std::span<const std::string_view> choice_names(Fp32Products);

/// Transformations applied to a compiler's program before it is simulated. They are choices that a compiler
/// makes, exposed as fields that a sweep can vary.
struct CompilerPasses {
    Fusion fusion{Fusion::automatic};
    /// Loops gather operands for the next iteration and consume reductions of the previous one.
    bool collective_pipelining{false};
    /// Activations that the backward pass recomputes instead of keeping them.
    Recompute recomputation{Recompute::none};
    CollectiveOrder collective_order{CollectiveOrder::program};
    std::int64_t collectives_ahead{1};  ///< for order `ahead`: how many others a collective may overtake
    /// Adjacent collectives of one kind and group are combined up to this size; 0: none are combined.
    Bytes bucket_size;
    /// An all-reduce of whose result every device uses only its own slice becomes a reduce-scatter.
    bool create_reduce_scatter{true};
    /// Collectives run concurrently with kernels; otherwise every kernel waits for the preceding collective.
    bool overlap_collectives{true};
    Fp32Products fp32_products{Fp32Products::automatic};
};

template <class Visitor>
void describe(Visitor& v, CompilerPasses& passes) {
    v.optional("fusion", passes.fusion, "which operations run as one kernel");
    v.optional("collective_pipelining", passes.collective_pipelining,
               "loops gather for the next iteration and use reductions of the previous one");
    v.optional("recomputation", passes.recomputation, "activations that the backward pass recomputes");
    v.optional("collective_order", passes.collective_order, "when collectives are issued");
    v.optional("collectives_ahead", passes.collectives_ahead, config::not_negative,
               "with collective_order ahead: how many others a collective may overtake");
    v.optional("bucket_size", passes.bucket_size, config::not_negative,
               "size up to which adjacent collectives are combined; 0 B: none are");
    v.optional("create_reduce_scatter", passes.create_reduce_scatter,
               "an all-reduce whose result is only sliced becomes a reduce-scatter");
    v.optional("overlap_collectives", passes.overlap_collectives,
               "collectives run concurrently with kernels");
    v.optional("fp32_products", passes.fp32_products, "precision of matrix products of 32-bit operands");
}
DSE_DESCRIBED_ONCE(CompilerPasses);

/// \throws ModelError naming the field that is out of range
void require_valid(const CompilerPasses& passes);

}  // namespace dse::graph
