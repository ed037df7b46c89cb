#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Scaled dot-product attention as one kernel that a framework hands over by name, as a custom call or as a
/// composite. Its operands begin with queries, keys and values of four dimensions; behind them come masks and
/// biases, of a backward pass what it needs of the forward's results and their gradient. Keys may have fewer
/// heads than queries: each serves a group of them.
struct FusedAttention {
    enum class Pass : std::uint8_t { forward, backward };
    enum class Order : std::uint8_t {
        sequence_first,  ///< [batch, sequence, heads, size of a head]: dse's own captures, ODML
        heads_first      ///< [batch, heads, sequence, size of a head]: PyTorch
    };
    Pass pass{Pass::forward};
    Order order{Order::heads_first};         ///< of queries, keys, values and what else has their shape
    Order result_order{Order::heads_first};  ///< of the results

    /// Numbers of dimensions.
    static std::size_t heads(Order order) { return order == Order::heads_first ? 1 : 2; }
    static std::size_t sequence(Order order) { return order == Order::heads_first ? 2 : 1; }
};

/// What a target names: `dse.flash_attention`, `odml.scaled_dot_product_attention`, `__cudnn$fmhaSoftmax`, …
/// Nothing for other targets, and for calls whose operands are packed (Transformer Engine's).
/// Operands of cuDNN lie as the configuration's dimension numbers say, of which the second batch dimension of
/// queries is the heads'; heads first where it says nothing. Its results have their heads first.
/// \param configuration  the call's `backend_config`
/// Source: JAX, cuDNN attention (dimension numbers of BTNH and BNTH; results [B, N, T, H], transposed behind
/// the call)
std::optional<FusedAttention> fused_attention(std::string_view target, std::string_view configuration = {});

/// The same of a call. \return nothing where the operation is no foreign call
std::optional<FusedAttention> fused_attention(const Program& program, const Operation& operation);

/// A composite that names such a kernel: it is that kernel, whatever its decomposition does.
bool is_attention_composite(const Program& program, const Operation& operation);

/// Whether a call's configuration says that queries do not see later keys.
bool hides_later_keys(std::string_view configuration);

}  // namespace dse::ir
