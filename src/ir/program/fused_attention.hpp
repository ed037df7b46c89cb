#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Scaled dot-product attention as a single kernel that a framework calls by name, as a custom call or a
/// composite. Its first operands are queries, keys and values with four dimensions; masks and biases follow,
/// and for a backward pass the results that it needs from the forward pass and their gradient. Keys may have
/// fewer heads than queries: each then serves a group of them.
struct FusedAttention {
    enum class Pass : std::uint8_t { forward, backward };
    enum class Order : std::uint8_t {
        sequence_first,  ///< [batch, sequence, heads, head size]: dse's own captures, ODML
        heads_first      ///< [batch, heads, sequence, head size]: PyTorch
    };
    Pass pass{Pass::forward};
    Order order{Order::heads_first};         ///< of queries, keys, values and all arrays of their shape
    Order result_order{Order::heads_first};  ///< of the results

    /// Indices of dimensions.
    static std::size_t heads(Order order) { return order == Order::heads_first ? 1 : 2; }
    static std::size_t sequence(Order order) { return order == Order::heads_first ? 2 : 1; }
};

/// The kernel that a target names: `dse.flash_attention`, `odml.scaled_dot_product_attention`,
/// `__cudnn$fmhaSoftmax`, …; nothing for other targets, and for calls with packed operands (Transformer
/// Engine's). The layout of cuDNN's operands follows from the dimension numbers in the configuration: the
/// second batch dimension of the queries is that of the heads. Without them, and in its results, heads come
/// first.
/// \param configuration  the call's `backend_config`
/// Source: JAX, cuDNN attention (dimension numbers of BTNH and BNTH; results [B, N, T, H], transposed after
/// the call)
std::optional<FusedAttention> fused_attention(std::string_view target, std::string_view configuration = {});

/// The kernel that a call names. \return nothing if the operation is not a foreign call
std::optional<FusedAttention> fused_attention(const Program& program, const Operation& operation);

/// Whether this is a composite named after such a kernel; it counts as the kernel, whatever its
/// decomposition.
bool is_attention_composite(const Program& program, const Operation& operation);

/// Whether a call's configuration states a causal mask.
bool hides_later_keys(std::string_view configuration);

}  // namespace dse::ir
