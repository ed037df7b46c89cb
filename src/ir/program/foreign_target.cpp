#include "ir/program/foreign_target.hpp"

#include <algorithm>
#include <array>

namespace dse::ir {
namespace {

using Order = FusedAttention::Order;

struct KnownTarget {
    std::string_view begins;
    ForeignTarget target;
};

constexpr std::array known_targets{
    KnownTarget{"dse.flash_attention", {ForeignKind::attention, Order::sequence_first}},
    KnownTarget{"odml.scaled_dot_product_attention", {ForeignKind::attention, Order::sequence_first}},
    KnownTarget{"aten.scaled_dot_product_attention", {ForeignKind::attention, Order::heads_first}},
    KnownTarget{"__cudnn$fmha", {ForeignKind::attention, Order::heads_first}},
    KnownTarget{"te_fused_attn_forward", {ForeignKind::other_attention, Order::sequence_first}},
    KnownTarget{"te_fused_attn_backward", {ForeignKind::other_attention, Order::sequence_first}},
    KnownTarget{"flash_attn._flash_attn_", {ForeignKind::other_attention, Order::sequence_first}},
    KnownTarget{"__cublas$", {ForeignKind::product}},
    KnownTarget{"__triton_gemm", {ForeignKind::product}},
    KnownTarget{"__onednn$matmul", {ForeignKind::product}},
    KnownTarget{"__cudnn$conv", {ForeignKind::convolution}},
};

}  // namespace

ForeignTarget foreign_target(std::string_view name) {
    const auto* row =
        std::find_if(known_targets.begin(), known_targets.end(),
                     [name](const KnownTarget& known) { return name.starts_with(known.begins); });
    return row == known_targets.end() ? ForeignTarget{} : row->target;
}

}  // namespace dse::ir
