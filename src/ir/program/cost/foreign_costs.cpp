#include "dse/ir/program/cost/foreign_costs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "dse/ir/program/cost/kernel_shapes.hpp"
#include "foreign_call.hpp"
#include "ir/program/cost/contraction_cost.hpp"
#include "ir/program/cost/operation_flops.hpp"
#include "ir/program/foreign_target.hpp"

namespace dse::ir {
namespace {

using Flops = std::optional<double> (*)(const ForeignView&);

std::optional<double> no_flops(const ForeignView&) {
    return 0;
}

/// A backward pass has five products, the forward pass has two.
std::optional<double> foreign_attention(const ForeignView& call) {
    const auto shape = attention_shape(call.program, call.operation);
    if (!shape) return std::nullopt;
    const bool is_backward =
        foreign_name(call.program, call.operation).find("ackward") != std::string_view::npos;
    return shape->flops() * (is_backward ? 2.5 : 1);
}

std::optional<double> foreign_product(const ForeignView& call) {
    const auto shape = product_shape(call.program, call.operation);
    return shape ? std::optional{2 * shape->batch * shape->m * shape->n * shape->k} : std::nullopt;
}

/// The labels are those of the forward convolution or, for a gradient, of the convolution that computes it,
/// with the call's own operands in their roles.
std::optional<double> foreign_convolution(const ForeignView& call) {
    const auto* foreign = call.program.attribute_if<ForeignCall>(call.operation);
    const Type* lhs = call.operand(0);
    const Type* rhs = call.operand(1);
    if (foreign == nullptr || !foreign->convolution || lhs == nullptr || rhs == nullptr) return std::nullopt;
    return convolution_flops(*lhs, *rhs, call.program.types[call.result()], *foreign->convolution).valid;
}

/// XLA's rule for a Fourier transform, 8 × elements × ⌊log2 n⌋, for each of three dimensions in turn. The
/// local array is a slab or a pencil of the whole; its sizes are taken as those of the transform.
std::optional<double> fourier(const ForeignView& call) {
    const Type* array = call.operand(0);
    if (array == nullptr) return std::nullopt;
    double logarithms = 0;
    for (const std::int64_t size : array->sizes)
        if (size > 0) logarithms += std::floor(std::log2(static_cast<double>(size)));
    return 8 * call.elements(0) * logarithms;
}

template <int PerElement>
std::optional<double> by_element(const ForeignView& call) {
    return PerElement * call.elements(0);
}

struct TargetRule {
    std::string_view target;  ///< the target, or its beginning followed by '*'
    Flops flops;
    double byte_factor;  ///< multiplies the bytes of all input and output arrays
};

/// Rules for targets whose name determines what they call.
constexpr std::array<std::pair<ForeignKind, Flops>, 4> rules_of_kinds{
    {{ForeignKind::attention, foreign_attention},
     {ForeignKind::other_attention, foreign_attention},
     {ForeignKind::product, foreign_product},
     {ForeignKind::convolution, foreign_convolution}}};

/// Rules for other targets. The first match counts.
constexpr std::array target_rules{
    TargetRule{"TopK", no_flops, 1},
    TargetRule{"__gpu$TopK", no_flops, 1},
    TargetRule{"MoveToHost", no_flops, 1},
    TargetRule{"MoveToDevice", no_flops, 1},
    TargetRule{"AwsNeuronTransferWithStaticRing", no_flops, 1},
    TargetRule{"AwsNeuronRmsNorm", by_element<4>, 1},
    TargetRule{"AwsNeuronLayerNorm", by_element<7>, 1},
    TargetRule{"AwsNeuronSoftmax", by_element<4>, 1},
    TargetRule{"AwsNeuronSoftmaxBackward", by_element<4>, 1},
    TargetRule{"AwsNeuronGelu", by_element<4>, 1},
    TargetRule{"AwsNeuronGeluBackward", by_element<8>, 1},
    TargetRule{"AwsNeuronSilu", by_element<1>, 1},
    TargetRule{"AwsNeuronSiluBackward", by_element<5>, 1},
    TargetRule{"pfft3d", fourier, 3},
    TargetRule{"Sharding", no_flops, 0},
    TargetRule{"SPMDFullToShardShape", no_flops, 0},
    TargetRule{"SPMDShardToFullShape", no_flops, 0},
    TargetRule{"xla.sdy.*", no_flops, 0},
    TargetRule{"annotate_device_placement", no_flops, 0},
    TargetRule{"AssumeGatherIndicesInBound", no_flops, 0},
    TargetRule{"ConcatBitcast", no_flops, 0},
    TargetRule{"AllocateBuffer", no_flops, 0},
    TargetRule{"shape_assertion", no_flops, 0},
    TargetRule{"LayoutConstraint", no_flops, 0},
};

/// A number of a kernel's own estimate, as Pallas writes it beside the kernel: `"cost_estimate": {"flops": 8,
/// …}` in JAX, numbers as strings in XLA's dumps, quotes as `\22` in MLIR.
std::optional<double> estimated(std::string_view configuration, std::string_view key) {
    constexpr std::string_view estimate = "cost_estimate";
    std::size_t at = configuration.find(estimate);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t end = configuration.find('}', at);
    at = configuration.find(key, at);
    if (at == std::string_view::npos || at > end) return std::nullopt;
    std::string_view text = configuration.substr(at + key.size());
    for (;;) {
        if (text.starts_with("\\22"))
            text.remove_prefix(3);
        else if (!text.empty() && std::string_view{"\\\": "}.find(text.front()) != std::string_view::npos)
            text.remove_prefix(1);
        else
            break;
    }
    double value = 0;
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value < 0 || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// The cost that a call states itself; nothing if it states none.
std::optional<Cost> stated_cost(const ForeignView& call) {
    const std::optional<double> flops = estimated(call.configuration, "flops");
    if (!flops) return std::nullopt;
    Cost cost;
    cost.foreign_flops = *flops;
    cost.foreign_bytes = estimated(call.configuration, "bytes_accessed").value_or(call.bytes());
    return cost;
}

bool fits(std::string_view pattern, std::string_view target) {
    if (!pattern.ends_with('*')) return pattern == target;
    return target.starts_with(pattern.substr(0, pattern.size() - 1));
}

std::optional<TargetRule> rule_of(std::string_view target) {
    const ForeignKind kind = foreign_target(target).kind;
    for (const auto& [known, flops] : rules_of_kinds)
        if (known == kind) return TargetRule{target, flops, 1};
    const auto* rule = std::find_if(target_rules.begin(), target_rules.end(),
                                    [target](const TargetRule& row) { return fits(row.target, target); });
    return rule == target_rules.end() ? std::nullopt : std::optional{*rule};
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
    const std::optional<TargetRule> rule = rule_of(target);
    if (operation.results.count == 0) return std::nullopt;
    const ForeignView call{program, operation};
    if (!rule) return stated_cost(call);
    const std::optional<double> flops = rule->flops(call);
    if (!flops) return std::nullopt;
    Cost cost;
    cost.foreign_flops = *flops;
    cost.foreign_bytes = rule->byte_factor * call.bytes();
    const bool multiplies = rule->flops == foreign_product || rule->flops == foreign_convolution;
    if (multiplies && is_complex_product(program, operation)) cost.complex_products = *flops;
    return cost;
}

void require_costs(const Program& program, const ForeignCosts& costs) {
    for (const Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations)
            if (opcode_class(operation.opcode) == OpcodeClass::foreign)
                static_cast<void>(costs.cost(program, operation));
    }
}

}  // namespace dse::ir
