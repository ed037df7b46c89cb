#include "dse/ir/cost/foreign_costs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

#include "dse/ir/cost/contraction_cost.hpp"
#include "dse/ir/cost/operation_traffic.hpp"

namespace dse::ir {
namespace {

/// What a rule looks at.
struct Call {
    const Program& program;
    const Operation& operation;
    std::string_view configuration;

    [[nodiscard]] const Type* operand(std::size_t i) const {
        const auto operands = program.operands(operation);
        return i < operands.size() ? &program.types[program.type_of(operands[i])] : nullptr;
    }
    [[nodiscard]] double elements(std::size_t i) const {
        const auto operands = program.operands(operation);
        return i < operands.size() ? program.types.elements(program.type_of(operands[i])) : 0;
    }
    /// The first array of the results.
    [[nodiscard]] TypeId result() const {
        const TypeId type = program.type_of(Program::result(operation));
        const Type& whole = program.types[type];
        return whole.kind == Type::Kind::tuple && !whole.members.empty() ? whole.members[0] : type;
    }
    /// Arrays in and out; scratch memory aside.
    [[nodiscard]] double bytes() const {
        double sum = operand_bytes(program, operation);
        for (std::uint32_t i = 0; i < operation.results.count; ++i) {
            const TypeId type = program.type_of(Program::result(operation, i));
            sum += program.types.bytes(type);
            for (const TypeId member : program.types[type].members)
                if (program.types[member].element == ElementType::u8) sum -= program.types.bytes(member);
        }
        return sum;
    }
    /// The number behind a key of the configuration: `attn_heads = 128 : i64`, `"alpha":1`.
    [[nodiscard]] std::optional<double> number(std::string_view key) const {
        const std::size_t at = configuration.find(key);
        if (at == std::string_view::npos) return std::nullopt;
        const std::size_t digit = configuration.find_first_of("-0123456789", at + key.size());
        if (digit == std::string_view::npos) return std::nullopt;
        std::int64_t value = 0;
        const char* end = configuration.data() + configuration.size();
        if (std::from_chars(configuration.data() + digit, end, value).ec != std::errc{}) return std::nullopt;
        return static_cast<double>(value);
    }
    /// The numbers of a list: `"lhs_contracting_dimensions":["1","2"]`.
    [[nodiscard]] Sizes numbers(std::string_view key) const {
        Sizes result;
        std::size_t at = configuration.find(key);
        if (at == std::string_view::npos) return result;
        const std::size_t end = std::min(configuration.find(']', at), configuration.size());
        for (at = configuration.find('[', at); at < end; ++at) {
            std::int64_t value = 0;
            const auto [next, error] =
                std::from_chars(configuration.data() + at, configuration.data() + end, value);
            if (error != std::errc{}) continue;
            result.push_back(value);
            at = static_cast<std::size_t>(next - configuration.data());
        }
        return result;
    }
};

using Flops = std::optional<double> (*)(const Call&);

std::optional<double> none(const Call&) {
    return 0;
}

/// Two products of the scores' size; a mask that hides the future halves them (Transformer Engine numbers
/// its masks none, padding, causal, padding and causal, and the latter two aligned to the other end).
/// Source: NVIDIA Transformer Engine, NVTE_Mask_Type; FLOPs as in "FlashAttention-2" (Dao 2023), section 4.1
std::optional<double> attention(const Call& call) {
    const auto batch = call.number("input_batch");
    const auto heads = call.number("attn_heads");
    const auto queries = call.number("q_max_seqlen");
    const auto keys = call.number("kv_max_seqlen");
    const auto size = call.number("qk_head_dim");
    const double value_size = call.number("v_head_dim").value_or(size.value_or(0));
    if (batch && heads && queries && keys && size) {
        const double whole = 2 * *batch * *heads * *queries * *keys * (*size + value_size);
        return call.number("mask_type").value_or(0) >= 2 ? whole / 2 : whole;
    }
    // [batch, heads, sequence, size] of queries and keys, as cuDNN's calls have them.
    const Type* key = call.operand(1);
    if (key == nullptr || key->sizes.size() != 4) return std::nullopt;
    const bool causal = call.configuration.find("CAUSAL") != std::string_view::npos;
    return 4 * call.elements(0) * static_cast<double>(key->sizes[2]) / (causal ? 2 : 1);
}

std::optional<double> attention_backward(const Call& call) {
    const auto forward = attention(call);
    return forward ? std::optional{2.5 * *forward} : std::nullopt;
}

/// Dimension numbers stand in the configuration; without them the last dimension of the left operand is
/// contracted.
std::optional<double> product(const Call& call) {
    const Type* lhs = call.operand(0);
    if (lhs == nullptr || lhs->sizes.empty()) return std::nullopt;
    Sizes contracted = call.numbers("\"lhs_contracting_dimensions\"");
    if (contracted.empty()) contracted = {static_cast<std::int64_t>(lhs->sizes.size()) - 1};
    double flops = 2 * call.program.types.elements(call.result());
    for (const std::int64_t d : contracted) {
        if (d < 0 || static_cast<std::size_t>(d) >= lhs->sizes.size()) return std::nullopt;
        flops *= static_cast<double>(lhs->sizes[static_cast<std::size_t>(d)]);
    }
    return flops;
}

/// The labels are those of the forward convolution, or of the one that the gradient is, in the roles that
/// the call's own operands have.
std::optional<double> convolution(const Call& call) {
    const auto* foreign = call.program.attribute_if<ForeignCall>(call.operation);
    const Type* lhs = call.operand(0);
    const Type* rhs = call.operand(1);
    if (foreign == nullptr || !foreign->convolution || lhs == nullptr || rhs == nullptr) return std::nullopt;
    return convolution_flops(*lhs, *rhs, call.program.types[call.result()], *foreign->convolution).valid;
}

/// XLA's rule of a Fourier transform, 8 × elements × ⌊log2 n⌋, for each of three dimensions in turn. The
/// local array is a slab or a pencil of the whole; its sizes stand for the transform's.
std::optional<double> fourier(const Call& call) {
    const Type* array = call.operand(0);
    if (array == nullptr) return std::nullopt;
    double logarithms = 0;
    for (const std::int64_t size : array->sizes)
        if (size > 0) logarithms += std::floor(std::log2(static_cast<double>(size)));
    return 8 * call.elements(0) * logarithms;
}

template <int PerElement>
std::optional<double> by_element(const Call& call) {
    return PerElement * call.elements(0);
}

struct Rule {
    std::string_view target;  ///< the target, or how it begins where it ends in '*'
    Flops flops;
    double byte_factor;  ///< of all arrays in and out
};

// The first that fits counts.
constexpr std::array rules{
    Rule{"te_fused_attn_forward*", attention, 1},
    Rule{"te_fused_attn_backward*", attention_backward, 1},
    Rule{"__cudnn$fmhaSoftmaxBackward*", attention_backward, 1},
    Rule{"__cudnn$fmhaScaleBiasSoftmaxBackward*", attention_backward, 1},
    Rule{"__cudnn$fmha*", attention, 1},
    Rule{"__cublas$*", product, 1},
    Rule{"__triton_gemm", product, 1},
    Rule{"__onednn$matmul*", product, 1},
    Rule{"__cudnn$conv*", convolution, 1},
    Rule{"TopK", none, 1},
    Rule{"__gpu$TopK", none, 1},
    Rule{"MoveToHost", none, 1},
    Rule{"MoveToDevice", none, 1},
    Rule{"AwsNeuronTransferWithStaticRing", none, 1},
    Rule{"AwsNeuronRmsNorm", by_element<4>, 1},
    Rule{"AwsNeuronLayerNorm", by_element<7>, 1},
    Rule{"AwsNeuronSoftmax", by_element<4>, 1},
    Rule{"AwsNeuronSoftmaxBackward", by_element<4>, 1},
    Rule{"AwsNeuronGelu", by_element<4>, 1},
    Rule{"AwsNeuronGeluBackward", by_element<8>, 1},
    Rule{"AwsNeuronSilu", by_element<1>, 1},
    Rule{"AwsNeuronSiluBackward", by_element<5>, 1},
    Rule{"pfft3d", fourier, 3},
    Rule{"Sharding", none, 0},
    Rule{"SPMDFullToShardShape", none, 0},
    Rule{"SPMDShardToFullShape", none, 0},
    Rule{"xla.sdy.*", none, 0},
    Rule{"annotate_device_placement", none, 0},
    Rule{"AssumeGatherIndicesInBound", none, 0},
    Rule{"ConcatBitcast", none, 0},
    Rule{"AllocateBuffer", none, 0},
    Rule{"shape_assertion", none, 0},
    Rule{"LayoutConstraint", none, 0},
};

bool fits(std::string_view pattern, std::string_view target) {
    if (!pattern.ends_with('*')) return pattern == target;
    return target.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

std::string_view foreign_name(const Program& program, const Operation& operation) {
    const auto* call = program.attribute_if<ForeignCall>(operation);
    return program.text(call != nullptr && call->target != no_name ? call->target : operation.name);
}

void ForeignCosts::add(std::string target, ForeignFormula formula) {
    users_.insert_or_assign(std::move(target), std::move(formula));
}

std::optional<Cost> ForeignCosts::cost(const Program& program, const Operation& operation) const {
    const std::string_view target = foreign_name(program, operation);
    if (const auto own = users_.find(target); own != users_.end())
        return own->second.cost(program, operation);
    const auto* rule = std::find_if(rules.begin(), rules.end(),
                                    [target](const Rule& row) { return fits(row.target, target); });
    if (rule == rules.end() || operation.results.count == 0) return std::nullopt;
    const auto* foreign = program.attribute_if<ForeignCall>(operation);
    const Call call{program, operation,
                    foreign == nullptr ? std::string_view{} : program.text(foreign->configuration)};
    const std::optional<double> flops = rule->flops(call);
    if (!flops) return std::nullopt;
    Cost cost;
    cost.foreign_flops = *flops;
    cost.foreign_bytes = rule->byte_factor * call.bytes();
    return cost;
}

}  // namespace dse::ir
