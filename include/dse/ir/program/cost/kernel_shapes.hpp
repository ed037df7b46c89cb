#pragma once

#include <optional>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Fused attention as a kernel sees it.
struct AttentionShape {
    double batch{1};
    double heads{1};  ///< of the queries
    double queries{0};
    double keys{0};
    double head_size{0};
    double value_size{0};
    bool causal{false};  ///< the call itself says that the future is hidden

    /// FLOPs of both products, query × key and weights × value; half where it is causal.
    /// Source: Dao 2023 (FlashAttention-2), section 4.1
    [[nodiscard]] double flops() const;
};

/// Of a framework's fused attention, and of foreign calls: from Transformer Engine's or cuDNN's
/// configuration, else from the shapes of queries and keys: [batch, heads, sequence, size], of PyTorch's own
/// flash and memory-efficient kernels and of the library flash_attn [batch, sequence, heads, size]. \return
/// none where neither says
std::optional<AttentionShape> attention_shape(const Program& program, const Operation& operation);

/// A product of matrices: [batch, m, k] × [batch, k, n].
struct ProductShape {
    double batch{1};
    double m{1};
    double n{1};
    double k{1};
};

/// Of a foreign call to cuBLAS, Triton or oneDNN: dimension numbers stand in its configuration; without them
/// the last dimension of the left operand is contracted. \return none of any other call
std::optional<ProductShape> product_shape(const Program& program, const Operation& call);

}  // namespace dse::ir
