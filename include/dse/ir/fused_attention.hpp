#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dse/ir/program.hpp"

namespace dse::ir {

/// Scaled dot-product attention as one kernel that a framework hands over by name, as a custom call or as a
/// composite. Its operands begin with queries, keys and values of four dimensions; behind them come masks and
/// biases, of a backward pass what it needs of the forward's results and their gradient. Keys may have fewer
/// heads than queries: each serves a group of them.
struct FusedAttention {
    enum class Pass : std::uint8_t { forward, backward };
    enum class Order : std::uint8_t {
        sequence_first,  ///< [batch, sequence, heads, size of a head]: dse's own captures, ODML
        heads_first      ///< [batch, heads, sequence, size of a head]: PyTorch, cuDNN
    };
    Pass pass{Pass::forward};
    Order order{Order::heads_first};

    [[nodiscard]] std::size_t heads() const { return order == Order::heads_first ? 1 : 2; }
    [[nodiscard]] std::size_t sequence() const { return order == Order::heads_first ? 2 : 1; }
};

/// What a target names: `dse.flash_attention`, `odml.scaled_dot_product_attention`, `__cudnn$fmhaSoftmax`, …
/// Nothing for other targets, and for calls whose operands are packed (Transformer Engine's).
std::optional<FusedAttention> fused_attention(std::string_view target);

/// A composite that names such a kernel: it is that kernel, whatever its decomposition does.
bool is_attention_composite(const Program& program, const Operation& operation);

/// Whether a call's configuration says that queries do not see later keys.
bool hides_later_keys(std::string_view configuration);

}  // namespace dse::ir
