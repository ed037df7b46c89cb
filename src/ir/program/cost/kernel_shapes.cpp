#include "dse/ir/program/cost/kernel_shapes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "dse/ir/program/cost/foreign_costs.hpp"
#include "foreign_call.hpp"
#include "ir/program/foreign_target.hpp"
#include "ir/program/fused_attention.hpp"

namespace dse::ir {
namespace {

/// Transformer Engine states all sizes. Its masks are: none, padding, causal, padding and causal, and the
/// latter two with alignment to the other end; those from 2 on are causal.
/// Source: NVIDIA Transformer Engine, NVTE_Mask_Type
std::optional<AttentionShape> of_transformer_engine(const ForeignView& call) {
    const auto batch = call.number("input_batch");
    const auto heads = call.number("attn_heads");
    const auto queries = call.number("q_max_seqlen");
    const auto keys = call.number("kv_max_seqlen");
    const auto size = call.number("qk_head_dim");
    if (!batch || !heads || !queries || !keys || !size) return std::nullopt;
    return AttentionShape{*batch,
                          *heads,
                          *queries,
                          *keys,
                          *size,
                          call.number("v_head_dim").value_or(*size),
                          call.number("mask_type").value_or(0) >= 2};
}

/// cuDNN's calls state the shape of the scores, [batch, heads, queries, keys], whatever the layout of the
/// operands. If a call has been partitioned, the shape is still that of the whole call, and the operands'
/// sizes are used instead.
/// Source: JAX's cuDNN attention ("BMM1 output in shape of BNTS")
std::optional<AttentionShape> of_cudnn(const ForeignView& call) {
    const Sizes scores = call.numbers("\"intermediate_tensor_shape\"", "\"dimensions\"");
    if (scores.size() != 4 || std::any_of(scores.begin(), scores.end(), [](auto size) { return size <= 0; }))
        return std::nullopt;
    const auto size = [&](std::size_t i) { return static_cast<double>(scores[i]); };
    const double head_size = call.elements(0) / (size(0) * size(1) * size(2));
    const Type* query = call.operand(0);
    const bool is_cut =
        query != nullptr && query->sizes.size() == 4 && head_size != static_cast<double>(query->sizes[3]);
    if (is_cut) return std::nullopt;
    return AttentionShape{
        size(0), size(1), size(2), size(3), head_size, head_size, hides_later_keys(call.configuration)};
}

/// Whether the sequence precedes the heads: as stated by foreign calls, and for the kernels beneath PyTorch's
/// own.
bool has_sequence_first(const ForeignView& call, std::string_view name) {
    const auto named = fused_attention(name, call.configuration);
    const FusedAttention::Order order = named ? named->order : foreign_target(name).order;
    constexpr std::array<std::string_view, 2> kernels{"._flash_attention_", "._efficient_attention_"};
    return order == FusedAttention::Order::sequence_first ||
           std::any_of(kernels.begin(), kernels.end(), [name](std::string_view kernel) {
               return name.find(kernel) != std::string_view::npos;
           });
}

/// In PyTorch's backward pass the gradient of the result comes first.
std::optional<AttentionShape> of_operands(const ForeignView& call) {
    const std::string_view name = foreign_name(call.program, call.operation);
    const bool is_gradient = call.operation.opcode == Opcode::attention_backward ||
                             name.find("_flash_attn_backward") != std::string_view::npos;
    const std::size_t first = is_gradient ? 1 : 0;
    const Type* query = call.operand(first);
    const Type* key = call.operand(first + 1);
    const Type* value = call.operand(first + 2);
    if (query == nullptr || key == nullptr || query->sizes.size() != 4 || key->sizes.size() != 4)
        return std::nullopt;
    const std::size_t sequence = has_sequence_first(call, name) ? 1 : 2;
    const auto size = [](const Type& type, std::size_t i) { return static_cast<double>(type.sizes[i]); };
    AttentionShape shape{size(*query, 0),
                         size(*query, 3 - sequence),
                         size(*query, sequence),
                         size(*key, sequence),
                         size(*query, 3),
                         size(*query, 3),
                         hides_later_keys(call.configuration)};
    if (value != nullptr && value->sizes.size() == 4) shape.value_size = size(*value, 3);
    const bool known = shape.batch > 0 && shape.heads > 0 && shape.queries > 0 && shape.keys > 0 &&
                       shape.head_size > 0 && shape.value_size > 0;
    return known ? std::optional{shape} : std::nullopt;
}

}  // namespace

double AttentionShape::flops() const {
    const double whole = 2 * batch * heads * queries * keys * (head_size + value_size);
    return causal ? whole / 2 : whole;
}

std::optional<AttentionShape> attention_shape(const Program& program, const Operation& operation) {
    const ForeignView call{program, operation};
    if (const auto stated = of_transformer_engine(call)) return stated;
    if (const auto stated = of_cudnn(call)) return stated;
    return of_operands(call);
}

std::optional<ProductShape> product_shape(const Program& program, const Operation& operation) {
    const ForeignView call{program, operation};
    const Type* lhs = call.operand(0);
    if (lhs == nullptr || lhs->sizes.empty() || operation.results.count == 0 ||
        foreign_target(foreign_name(program, operation)).kind != ForeignKind::product)
        return std::nullopt;
    const auto along = [lhs](const Sizes& dimensions) -> std::optional<double> {
        double sizes = 1;
        for (const std::int64_t d : dimensions) {
            if (d < 0 || static_cast<std::size_t>(d) >= lhs->sizes.size()) return std::nullopt;
            sizes *= static_cast<double>(lhs->sizes[static_cast<std::size_t>(d)]);
        }
        return sizes > 0 ? std::optional{sizes} : std::nullopt;
    };
    Sizes contracted = call.numbers("\"lhs_contracting_dimensions\"");
    if (contracted.empty()) contracted = {static_cast<std::int64_t>(lhs->sizes.size()) - 1};
    const auto k = along(contracted);
    const auto batch = along(call.numbers("\"lhs_batch_dimensions\""));
    if (!k || !batch) return std::nullopt;
    ProductShape shape{*batch, call.elements(0) / (*k * *batch), 1, *k};
    shape.n = program.types.elements(call.result()) / (shape.batch * shape.m);
    return shape.m > 0 && shape.n > 0 ? std::optional{shape} : std::nullopt;
}

}  // namespace dse::ir
