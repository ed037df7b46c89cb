#include "ir/readers/mlir/operation_table.hpp"

#include <optional>
#include <string>
#include <unordered_map>

namespace dse::ir::mlir {
namespace {

using Table = std::unordered_map<std::string_view, KnownOperation>;

// stablehlo, mhlo and chlo: operations with names that differ from the common vocabulary, or whose text
// states more than operands and types. Source: StablehloOps.td, hlo_ops.td, ChloOps.td
const Table& hlo_dialects() {
    static const Table table{
        {"dot_general", {Opcode::dot, dot_general}},
        {"dot", {Opcode::dot, dot}},
        {"ragged_dot", {Opcode::ragged_dot, ragged_dot}},
        {"sparse_dot", {Opcode::dot, dot_general}},
        {"convolution", {Opcode::convolution, convolution}},
        {"dynamic_conv", {Opcode::convolution, convolution}},
        {"reduce_window", {Opcode::reduce_window, window}},
        {"select_and_scatter", {Opcode::select_and_scatter, window}},
        {"fft", {Opcode::fft, fft_lengths}},
        {"reduce", {Opcode::reduce, dimensions}},
        {"map", {Opcode::map, dimensions}},
        {"sort", {Opcode::sort, dimensions}},
        {"broadcast_in_dim", {Opcode::broadcast, dimensions}},
        {"dynamic_broadcast_in_dim", {Opcode::broadcast, dimensions}},
        {"transpose", {Opcode::transpose, dimensions}},
        {"reverse", {Opcode::reverse, dimensions}},
        {"concatenate", {Opcode::concatenate, dimensions}},
        {"iota", {Opcode::iota, dimensions}},
        {"dynamic_iota", {Opcode::iota, dimensions}},
        {"get_dimension_size", {Opcode::get_dimension_size, dimensions}},
        {"set_dimension_size", {Opcode::set_dimension_size, dimensions}},
        {"slice", {Opcode::slice, slice_ranges}},
        {"real_dynamic_slice", {Opcode::dynamic_slice, nullptr}},
        {"dynamic_slice", {Opcode::dynamic_slice, slice_sizes}},
        {"pad", {Opcode::pad, pad_sizes}},
        {"gather", {Opcode::gather, gather_dimensions}},
        {"dynamic_gather", {Opcode::gather, gather_dimensions}},
        {"torch_index_select", {Opcode::index_select, nullptr}},
        {"scatter", {Opcode::scatter, scatter_dimensions}},
        {"all_reduce", {Opcode::all_reduce, communication}},
        {"cross-replica-sum", {Opcode::all_reduce, communication}},
        {"all_gather", {Opcode::all_gather, communication}},
        {"reduce_scatter", {Opcode::reduce_scatter, communication}},
        {"all_to_all", {Opcode::all_to_all, communication}},
        {"ragged_all_to_all", {Opcode::ragged_all_to_all, communication}},
        {"collective_permute", {Opcode::collective_permute, communication}},
        {"collective_broadcast", {Opcode::collective_broadcast, communication}},
        {"collective_reduce", {Opcode::collective_reduce, communication}},
        {"send", {Opcode::send, communication}},
        {"recv", {Opcode::recv, communication}},
        {"compare", {Opcode::compare, comparison}},
        {"constant", {Opcode::constant, literal}},
        {"constant_like", {Opcode::constant, nullptr}},
        {"get_tuple_element", {Opcode::get_tuple_element, tuple_index}},
        {"while", {Opcode::while_loop, loop}},
        {"case", {Opcode::conditional, nullptr}},
        {"if", {Opcode::conditional, nullptr}},
        {"composite", {Opcode::composite, foreign_call}},
        {"custom_call", {Opcode::custom_call, foreign_call}},
        {"create_token", {Opcode::after_all, nullptr}},
        {"return", {Opcode::terminator, nullptr}},
        {"top_k", {Opcode::topk, nullptr}},
        {"rng_uniform", {Opcode::rng, nullptr}},
        {"rng_normal", {Opcode::rng, nullptr}},
        {"square", {Opcode::elementwise, nullptr}},
        {"conj", {Opcode::elementwise, nullptr}},
        {"is_inf", {Opcode::elementwise, nullptr}},
        {"is_neg_inf", {Opcode::elementwise, nullptr}},
        {"is_pos_inf", {Opcode::elementwise, nullptr}},
        {"next_after", {Opcode::elementwise, nullptr}},
        {"mulhi", {Opcode::elementwise, nullptr}},
        {"asin_acos_kernel", {Opcode::special, nullptr}},
        {"atan", {Opcode::special, nullptr}},
        {"bessel_i1e", {Opcode::special, nullptr}},
        {"digamma", {Opcode::special, nullptr}},
        {"erf_inv", {Opcode::special, nullptr}},
        {"erfc", {Opcode::special, nullptr}},
        {"lgamma", {Opcode::special, nullptr}},
        {"polygamma", {Opcode::special, nullptr}},
        {"zeta", {Opcode::special, nullptr}},
    };
    return table;
}

// Source: Shardy, sdy dialect's operations
const Table& shardy() {
    static const Table table{
        {"mesh", {Opcode::mesh, nullptr}},
        {"sharding_constraint", {Opcode::sharding_constraint, resharding}},
        {"reshard", {Opcode::reshard, resharding}},
        {"all_slice", {Opcode::reshard, resharding}},
        {"replicated_to_unreduced", {Opcode::reshard, resharding}},
        {"sharded_to_unreduced", {Opcode::reshard, resharding}},
        {"all_gather", {Opcode::all_gather, resharding}},
        {"all_reduce", {Opcode::all_reduce, resharding}},
        {"reduce_scatter", {Opcode::reduce_scatter, resharding}},
        {"all_to_all", {Opcode::all_to_all, resharding}},
        {"collective_permute", {Opcode::collective_permute, resharding}},
        {"manual_computation", {Opcode::manual_computation, manual_computation}},
        {"named_computation", {Opcode::named_computation, nullptr}},
        {"constant", {Opcode::constant, literal}},
        {"propagation_barrier", {Opcode::propagation_barrier, propagation_barrier}},
        {"sharding_group", {Opcode::sharding_group, sharding_group}},
        {"data_flow_edge", {Opcode::data_flow_edge, nullptr}},
        {"func_data_flow_edge", {Opcode::data_flow_edge, nullptr}},
        {"return", {Opcode::terminator, nullptr}},
    };
    return table;
}

const Table& other_dialects() {
    static const Table table{
        {"return", {Opcode::terminator, nullptr}},
        {"func.return", {Opcode::terminator, nullptr}},
        {"call", {Opcode::call, nullptr}},
        {"func.call", {Opcode::call, nullptr}},
        {"arith.constant", {Opcode::constant, literal}},
        {"tensor.empty", {Opcode::fill, nullptr}},
    };
    return table;
}

std::optional<KnownOperation> in(const Table& table, std::string_view name) {
    const auto found = table.find(name);
    if (found == table.end()) return std::nullopt;
    return found->second;
}

// chlo's operations with implicit broadcasting have the prefix "broadcast_": "broadcast_add".
KnownOperation hlo_operation(std::string_view local) {
    if (const auto known = in(hlo_dialects(), local)) return *known;
    if (const auto same = opcode(local)) return {*same, nullptr};
    constexpr std::string_view implicit = "broadcast_";
    if (local.starts_with(implicit)) {
        KnownOperation repeating = hlo_operation(local.substr(implicit.size()));
        repeating.repetition = Repetition::implicit;
        return repeating;
    }
    return {Opcode::unknown, foreign_call};
}

}  // namespace

KnownOperation known_operation(std::string_view name) {
    const std::string_view dialect = dialect_of(name);
    const std::string_view local = dialect.empty() ? name : name.substr(dialect.size() + 1);
    if (dialect == "stablehlo" || dialect == "mhlo" || dialect == "chlo") return hlo_operation(local);
    const auto known = dialect == "sdy" ? in(shardy(), local) : in(other_dialects(), name);
    return known.value_or(KnownOperation{Opcode::unknown, foreign_call});
}

}  // namespace dse::ir::mlir
