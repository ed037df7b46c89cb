#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::graph {

/// Which operations of a compiler's program run as one kernel.
enum class Fusion : std::uint8_t {
    automatic,    ///< as the program says, where it has fused kernels; else `full`
    none,         ///< every operation is a kernel
    elementwise,  ///< chains of element-wise operations, what they broadcast and what reduces them at their
                  ///< end
    full,         ///< also past reductions of rows, into products' results, and where others read in between
};

/// When a collective is issued.
enum class CollectiveOrder : std::uint8_t {
    program,   ///< where it stands
    earliest,  ///< as soon as its operands are there
    ahead,     ///< likewise, but no more than a number of collectives before its place
};

/// What products of 32-bit operands run at, on a device that has TF32; others run them as fp32.
enum class Fp32Products : std::uint8_t {
    /// As the program's compiler has it by default. XLA: TF32, unless the program asks for the highest
    /// precision. PyTorch: fp32, but convolutions TF32.
    /// Source: XLA's GetBlasComputationType; PyTorch, "CUDA semantics", TensorFloat-32
    automatic,
    tf32,  ///< unless the program asks for the highest precision (PyTorch's float32 matmul precision "high")
    fp32,
};

std::span<const std::string_view> choice_names(Fusion);
std::span<const std::string_view> choice_names(CollectiveOrder);
std::span<const std::string_view> choice_names(Fp32Products);

/// What is done to a compiler's program before it is played: choices that a compiler makes, as fields that a
/// sweep can vary.
struct CompilerPasses {
    Fusion fusion{Fusion::automatic};
    /// What a loop communicates is spread over its iterations.
    bool collective_pipelining{false};
    /// What the backward pass makes again in the place of keeping it.
    Recompute recomputation{Recompute::none};
    CollectiveOrder collective_order{CollectiveOrder::program};
    std::int64_t collectives_ahead{1};  ///< of order `ahead`: how many others a collective may pass
    /// Collectives of one kind and group that stand next to each other are one, up to so many bytes; 0: none.
    Bytes bucket_size;
    /// An all-reduce of which every device only uses its own slice is a reduce-scatter.
    bool create_reduce_scatter{true};
    /// Collectives run beside kernels; else every kernel waits for the collective before it.
    bool overlap_collectives{true};
    Fp32Products fp32_products{Fp32Products::automatic};
};

template <class Visitor>
void describe(Visitor& v, CompilerPasses& passes) {
    v.optional("fusion", passes.fusion, "which operations run as one kernel");
    v.optional("collective_pipelining", passes.collective_pipelining,
               "loops gather for the next iteration, and read what the one before has reduced");
    v.optional("recomputation", passes.recomputation, "what the backward pass makes again");
    v.optional("collective_order", passes.collective_order, "when collectives are issued");
    v.optional("collectives_ahead", passes.collectives_ahead, config::not_negative,
               "collectives that one may pass, under collective_order ahead");
    v.optional("bucket_size", passes.bucket_size, config::not_negative,
               "up to which neighbouring collectives become one; 0 B: none do");
    v.optional("create_reduce_scatter", passes.create_reduce_scatter,
               "an all-reduce that is only sliced becomes a reduce-scatter");
    v.optional("overlap_collectives", passes.overlap_collectives, "collectives run beside kernels");
    v.optional("fp32_products", passes.fp32_products, "what products of 32-bit operands run at");
}

/// \throws ModelError naming the field that is out of its range
void require_valid(const CompilerPasses& passes);

}  // namespace dse::graph
