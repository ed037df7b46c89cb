#include "dse/ir/program/opcode.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace dse::ir {
namespace {

struct Row {
    std::string_view name;
    OpcodeClass opcode_class;
};

// In the order of the enumerators.
constexpr std::array rows{
    Row{"abs", OpcodeClass::elementwise},
    Row{"add", OpcodeClass::elementwise},
    Row{"and", OpcodeClass::elementwise},
    Row{"not", OpcodeClass::elementwise},
    Row{"or", OpcodeClass::elementwise},
    Row{"xor", OpcodeClass::elementwise},
    Row{"subtract", OpcodeClass::elementwise},
    Row{"multiply", OpcodeClass::elementwise},
    Row{"divide", OpcodeClass::elementwise},
    Row{"remainder", OpcodeClass::elementwise},
    Row{"maximum", OpcodeClass::elementwise},
    Row{"minimum", OpcodeClass::elementwise},
    Row{"negate", OpcodeClass::elementwise},
    Row{"sign", OpcodeClass::elementwise},
    Row{"compare", OpcodeClass::elementwise},
    Row{"select", OpcodeClass::elementwise},
    Row{"clamp", OpcodeClass::elementwise},
    Row{"convert", OpcodeClass::elementwise},
    Row{"floor", OpcodeClass::elementwise},
    Row{"ceil", OpcodeClass::elementwise},
    Row{"round_nearest_afz", OpcodeClass::elementwise},
    Row{"round_nearest_even", OpcodeClass::elementwise},
    Row{"is_finite", OpcodeClass::elementwise},
    Row{"shift_left", OpcodeClass::elementwise},
    Row{"shift_right_arithmetic", OpcodeClass::elementwise},
    Row{"shift_right_logical", OpcodeClass::elementwise},
    Row{"popcnt", OpcodeClass::elementwise},
    Row{"count_leading_zeros", OpcodeClass::elementwise},
    Row{"real", OpcodeClass::elementwise},
    Row{"imag", OpcodeClass::elementwise},
    Row{"complex", OpcodeClass::elementwise},
    Row{"reduce_precision", OpcodeClass::elementwise},
    Row{"stochastic_convert", OpcodeClass::elementwise},
    Row{"uniform_quantize", OpcodeClass::elementwise},
    Row{"uniform_dequantize", OpcodeClass::elementwise},
    Row{"relu", OpcodeClass::elementwise},
    Row{"relu_backward", OpcodeClass::elementwise},
    Row{"dropout", OpcodeClass::elementwise},
    Row{"elementwise", OpcodeClass::elementwise},
    Row{"acos", OpcodeClass::transcendental},
    Row{"acosh", OpcodeClass::transcendental},
    Row{"asin", OpcodeClass::transcendental},
    Row{"asinh", OpcodeClass::transcendental},
    Row{"atan2", OpcodeClass::transcendental},
    Row{"atanh", OpcodeClass::transcendental},
    Row{"cbrt", OpcodeClass::transcendental},
    Row{"cosine", OpcodeClass::transcendental},
    Row{"cosh", OpcodeClass::transcendental},
    Row{"erf", OpcodeClass::transcendental},
    Row{"exponential", OpcodeClass::transcendental},
    Row{"exponential_minus_one", OpcodeClass::transcendental},
    Row{"log", OpcodeClass::transcendental},
    Row{"log_plus_one", OpcodeClass::transcendental},
    Row{"logistic", OpcodeClass::transcendental},
    Row{"power", OpcodeClass::transcendental},
    Row{"rsqrt", OpcodeClass::transcendental},
    Row{"sine", OpcodeClass::transcendental},
    Row{"sinh", OpcodeClass::transcendental},
    Row{"sqrt", OpcodeClass::transcendental},
    Row{"tan", OpcodeClass::transcendental},
    Row{"tanh", OpcodeClass::transcendental},
    Row{"gelu", OpcodeClass::transcendental},
    Row{"gelu_backward", OpcodeClass::transcendental},
    Row{"silu", OpcodeClass::transcendental},
    Row{"silu_backward", OpcodeClass::transcendental},
    Row{"special", OpcodeClass::transcendental},
    Row{"dot", OpcodeClass::contraction},
    Row{"ragged_dot", OpcodeClass::contraction},
    Row{"scaled_dot", OpcodeClass::contraction},
    Row{"convolution", OpcodeClass::contraction},
    Row{"convolution_backward", OpcodeClass::contraction},
    Row{"einsum", OpcodeClass::contraction},
    Row{"triangular_solve", OpcodeClass::contraction},
    Row{"cholesky", OpcodeClass::contraction},
    Row{"attention", OpcodeClass::kernel},
    Row{"attention_backward", OpcodeClass::kernel},
    Row{"softmax", OpcodeClass::kernel},
    Row{"softmax_backward", OpcodeClass::kernel},
    Row{"normalization", OpcodeClass::kernel},
    Row{"normalization_backward", OpcodeClass::kernel},
    Row{"batch_norm_training", OpcodeClass::kernel},
    Row{"batch_norm_inference", OpcodeClass::kernel},
    Row{"batch_norm_grad", OpcodeClass::kernel},
    Row{"embedding_backward", OpcodeClass::kernel},
    Row{"loss", OpcodeClass::kernel},
    Row{"loss_backward", OpcodeClass::kernel},
    Row{"optimizer_update", OpcodeClass::kernel},
    Row{"topk", OpcodeClass::kernel},
    Row{"sort", OpcodeClass::kernel},
    Row{"fft", OpcodeClass::kernel},
    Row{"rng", OpcodeClass::kernel},
    Row{"rng_bit_generator", OpcodeClass::kernel},
    Row{"rng_get_and_update_state", OpcodeClass::kernel},
    Row{"reduce", OpcodeClass::reduction},
    Row{"reduce_window", OpcodeClass::reduction},
    Row{"select_and_scatter", OpcodeClass::reduction},
    Row{"map", OpcodeClass::reduction},
    Row{"scan", OpcodeClass::reduction},
    Row{"pooling_backward", OpcodeClass::reduction},
    Row{"argmax", OpcodeClass::reduction},
    Row{"broadcast", OpcodeClass::movement},
    Row{"reshape", OpcodeClass::movement},
    Row{"dynamic_reshape", OpcodeClass::movement},
    Row{"transpose", OpcodeClass::movement},
    Row{"slice", OpcodeClass::movement},
    Row{"dynamic_slice", OpcodeClass::movement},
    Row{"dynamic_update_slice", OpcodeClass::movement},
    Row{"concatenate", OpcodeClass::movement},
    Row{"pad", OpcodeClass::movement},
    Row{"dynamic_pad", OpcodeClass::movement},
    Row{"reverse", OpcodeClass::movement},
    Row{"gather", OpcodeClass::movement},
    Row{"scatter", OpcodeClass::movement},
    Row{"iota", OpcodeClass::movement},
    Row{"copy", OpcodeClass::movement},
    Row{"copy_start", OpcodeClass::movement},
    Row{"copy_done", OpcodeClass::movement},
    Row{"bitcast", OpcodeClass::movement},
    Row{"bitcast_convert", OpcodeClass::movement},
    Row{"set_dimension_size", OpcodeClass::movement},
    Row{"get_dimension_size", OpcodeClass::movement},
    Row{"view", OpcodeClass::movement},
    Row{"expand", OpcodeClass::movement},
    Row{"index_select", OpcodeClass::movement},
    Row{"fill", OpcodeClass::movement},
    Row{"all_reduce", OpcodeClass::communication},
    Row{"all_gather", OpcodeClass::communication},
    Row{"reduce_scatter", OpcodeClass::communication},
    Row{"all_to_all", OpcodeClass::communication},
    Row{"ragged_all_to_all", OpcodeClass::communication},
    Row{"collective_permute", OpcodeClass::communication},
    Row{"collective_broadcast", OpcodeClass::communication},
    Row{"collective_reduce", OpcodeClass::communication},
    Row{"all_reduce_start", OpcodeClass::communication},
    Row{"all_reduce_done", OpcodeClass::communication},
    Row{"all_gather_start", OpcodeClass::communication},
    Row{"all_gather_done", OpcodeClass::communication},
    Row{"collective_permute_start", OpcodeClass::communication},
    Row{"collective_permute_done", OpcodeClass::communication},
    Row{"send", OpcodeClass::communication},
    Row{"send_done", OpcodeClass::communication},
    Row{"recv", OpcodeClass::communication},
    Row{"recv_done", OpcodeClass::communication},
    Row{"infeed", OpcodeClass::communication},
    Row{"outfeed", OpcodeClass::communication},
    Row{"wait", OpcodeClass::communication},
    Row{"while", OpcodeClass::control},
    Row{"conditional", OpcodeClass::control},
    Row{"call", OpcodeClass::control},
    Row{"fusion", OpcodeClass::control},
    Row{"composite", OpcodeClass::control},
    Row{"async_start", OpcodeClass::control},
    Row{"async_update", OpcodeClass::control},
    Row{"async_done", OpcodeClass::control},
    Row{"manual_computation", OpcodeClass::control},
    Row{"named_computation", OpcodeClass::control},
    Row{"parameter", OpcodeClass::bookkeeping},
    Row{"constant", OpcodeClass::bookkeeping},
    Row{"tuple", OpcodeClass::bookkeeping},
    Row{"get_tuple_element", OpcodeClass::bookkeeping},
    Row{"after_all", OpcodeClass::bookkeeping},
    Row{"add_dependency", OpcodeClass::bookkeeping},
    Row{"domain", OpcodeClass::bookkeeping},
    Row{"optimization_barrier", OpcodeClass::bookkeeping},
    Row{"partition_id", OpcodeClass::bookkeeping},
    Row{"replica_id", OpcodeClass::bookkeeping},
    Row{"terminator", OpcodeClass::bookkeeping},
    Row{"sharding_constraint", OpcodeClass::bookkeeping},
    Row{"reshard", OpcodeClass::bookkeeping},
    Row{"propagation_barrier", OpcodeClass::bookkeeping},
    Row{"sharding_group", OpcodeClass::bookkeeping},
    Row{"data_flow_edge", OpcodeClass::bookkeeping},
    Row{"mesh", OpcodeClass::bookkeeping},
    Row{"function", OpcodeClass::bookkeeping},
    Row{"module", OpcodeClass::bookkeeping},
    Row{"symbol_size", OpcodeClass::bookkeeping},
    Row{"custom_call", OpcodeClass::foreign},
    Row{"unknown", OpcodeClass::foreign},
};
static_assert(rows.size() == static_cast<std::size_t>(Opcode::unknown) + 1);

std::unordered_map<std::string_view, Opcode> by_name() {
    std::unordered_map<std::string_view, Opcode> result;
    for (std::size_t i = 0; i < rows.size(); ++i) result.emplace(rows[i].name, static_cast<Opcode>(i));
    return result;
}

}  // namespace

std::string_view name(Opcode opcode) {
    return rows[static_cast<std::size_t>(opcode)].name;
}

OpcodeClass opcode_class(Opcode opcode) {
    return rows[static_cast<std::size_t>(opcode)].opcode_class;
}

std::optional<Opcode> opcode(std::string_view name) {
    static const auto opcodes = by_name();
    std::string spelled{name};
    std::replace(spelled.begin(), spelled.end(), '-', '_');
    const auto found = opcodes.find(spelled);
    if (found == opcodes.end()) return std::nullopt;
    return found->second;
}

}  // namespace dse::ir
