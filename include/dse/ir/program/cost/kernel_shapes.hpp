#pragma once

#include <optional>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Shape of a fused attention kernel.
struct AttentionShape {
    double batch{1};
    double heads{1};  ///< of the queries
    double queries{0};
    double keys{0};
    double head_size{0};
    double value_size{0};
    bool causal{false};  ///< the call itself states a causal mask

    /// FLOPs of both products, query × key and weights × value; half of that if causal.
    /// Source: Dao 2023 (FlashAttention-2), section 4.1
    [[nodiscard]] double flops() const;
};

/// Shape of a framework's fused attention or of a foreign call. It is taken from the configuration of
/// Transformer Engine or cuDNN, else from the shapes of queries and keys: [batch, heads, sequence, size], or
/// [batch, sequence, heads, size] for PyTorch's own flash and memory-efficient kernels and for the library
/// flash_attn.
/// \return none if neither is available
std::optional<AttentionShape> attention_shape(const Program& program, const Operation& operation);

/// A (batched) matrix product: [batch, m, k] × [batch, k, n].
struct ProductShape {
    double batch{1};
    double m{1};
    double n{1};
    double k{1};
};

/// Shape of a foreign call to cuBLAS, Triton or oneDNN. Dimension numbers are in its configuration; without
/// them the last dimension of the left operand is contracted.
/// \return none for any other call
std::optional<ProductShape> product_shape(const Program& program, const Operation& call);

}  // namespace dse::ir
