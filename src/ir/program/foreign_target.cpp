#include "ir/program/foreign_target.hpp"

#include <algorithm>
#include <array>

namespace dse::ir {
namespace {

using Order = FusedAttention::Order;

struct Row {
    std::string_view begins;
    ForeignTarget target;
};

constexpr std::array rows{
    Row{"dse.flash_attention", {ForeignKind::attention, Order::sequence_first}},
    Row{"odml.scaled_dot_product_attention", {ForeignKind::attention, Order::sequence_first}},
    Row{"aten.scaled_dot_product_attention", {ForeignKind::attention, Order::heads_first}},
    Row{"__cudnn$fmha", {ForeignKind::attention, Order::heads_first}},
    Row{"te_fused_attn_forward", {ForeignKind::other_attention, Order::sequence_first}},
    Row{"te_fused_attn_backward", {ForeignKind::other_attention, Order::sequence_first}},
    Row{"flash_attn._flash_attn_", {ForeignKind::other_attention, Order::sequence_first}},
    Row{"__cublas$", {ForeignKind::product}},
    Row{"__triton_gemm", {ForeignKind::product}},
    Row{"__onednn$matmul", {ForeignKind::product}},
    Row{"__cudnn$conv", {ForeignKind::convolution}},
};

}  // namespace

ForeignTarget foreign_target(std::string_view name) {
    const auto* row = std::find_if(rows.begin(), rows.end(),
                                   [name](const Row& known) { return name.starts_with(known.begins); });
    return row == rows.end() ? ForeignTarget{} : row->target;
}

}  // namespace dse::ir
