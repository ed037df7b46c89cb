#include "operators.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>

namespace dse::ir::fx {
namespace {

struct Family {
    Opcode opcode;
    std::string_view names;  ///< separated by blanks
    Recipe recipe{Recipe::plain};
};

// Operators in namespace aten, without the prefix. Operators that give the same storage other sizes or
// strides are views, whatever HLO calls them. Source: PyTorch, aten/src/ATen/native/native_functions.yaml
constexpr std::array aten_families{
    Family{Opcode::abs, "abs"},
    Family{Opcode::add, "add"},
    Family{Opcode::logical_and, "bitwise_and logical_and __and__ and_"},
    Family{Opcode::logical_not, "bitwise_not logical_not not_"},
    Family{Opcode::logical_or, "bitwise_or logical_or __or__ or_"},
    Family{Opcode::logical_xor, "bitwise_xor logical_xor __xor__ xor"},
    Family{Opcode::subtract, "sub rsub subtract"},
    Family{Opcode::multiply, "mul multiply"},
    Family{Opcode::divide, "div true_divide truediv floor_divide floordiv divide reciprocal"},
    Family{Opcode::remainder, "remainder fmod mod"},
    Family{Opcode::maximum, "maximum clamp_min fmax"},
    Family{Opcode::minimum, "minimum clamp_max fmin"},
    Family{Opcode::negate, "neg negative"},
    Family{Opcode::sign, "sign sgn"},
    Family{Opcode::compare, "eq ne lt le gt ge isnan isinf less greater equal"},
    Family{Opcode::select, "where masked_fill"},
    Family{Opcode::clamp, "clamp clip hardtanh"},
    Family{Opcode::convert, "_to_copy to type_as type float double half bfloat16 int long bool"},
    Family{Opcode::floor, "floor trunc"},
    Family{Opcode::ceil, "ceil"},
    Family{Opcode::round_nearest_even, "round"},
    Family{Opcode::is_finite, "isfinite"},
    Family{Opcode::shift_left, "bitwise_left_shift __lshift__"},
    Family{Opcode::shift_right_arithmetic, "bitwise_right_shift __rshift__"},
    Family{Opcode::complex, "complex polar"},
    Family{Opcode::relu, "relu relu6"},
    Family{Opcode::relu_backward, "threshold_backward"},
    Family{Opcode::dropout, "native_dropout dropout"},
    Family{Opcode::elementwise,
           "native_dropout_backward lerp addcmul addcdiv tril triu leaky_relu leaky_relu_backward hardswish "
           "hardswish_backward hardsigmoid sigmoid_backward tanh_backward nan_to_num masked_scatter square "
           "hardtanh_backward glu glu_backward isin bucketize conj _conj _conj_physical "
           "_foreach_add _foreach_mul _foreach_div _foreach_sqrt _foreach_addcmul _foreach_addcdiv "
           "_foreach_lerp"},
    Family{Opcode::acos, "acos"},
    Family{Opcode::acosh, "acosh"},
    Family{Opcode::asin, "asin"},
    Family{Opcode::asinh, "asinh"},
    Family{Opcode::atan2, "atan2 atan"},
    Family{Opcode::atanh, "atanh"},
    Family{Opcode::cosine, "cos"},
    Family{Opcode::cosh, "cosh"},
    Family{Opcode::erf, "erf erfc"},
    Family{Opcode::exponential, "exp exp2"},
    Family{Opcode::exponential_minus_one, "expm1"},
    Family{Opcode::log, "log log2 log10"},
    Family{Opcode::log_plus_one, "log1p"},
    Family{Opcode::logistic, "sigmoid"},
    Family{Opcode::power, "pow float_power"},
    Family{Opcode::rsqrt, "rsqrt"},
    Family{Opcode::sine, "sin"},
    Family{Opcode::sinh, "sinh"},
    Family{Opcode::sqrt, "sqrt hypot"},
    Family{Opcode::tan, "tan"},
    Family{Opcode::tanh, "tanh"},
    Family{Opcode::gelu, "gelu"},
    Family{Opcode::gelu_backward, "gelu_backward"},
    Family{Opcode::silu, "silu"},
    Family{Opcode::silu_backward, "silu_backward"},
    Family{Opcode::special,
           "softplus softplus_backward mish mish_backward elu elu_backward selu celu erfinv lgamma digamma "
           "log_sigmoid_forward log_sigmoid_backward logsigmoid logit xlogy logaddexp special_bessel_j0"},
    Family{Opcode::dot, "mm mv _int_mm", Recipe::product},
    Family{Opcode::dot, "bmm", Recipe::batched_product},
    Family{Opcode::dot, "addmm addmv _addmm_activation", Recipe::added_product},
    Family{Opcode::dot, "baddbmm", Recipe::added_batched_product},
    Family{Opcode::dot, "linear", Recipe::linear},
    Family{Opcode::dot, "matmul dot vdot", Recipe::matmul},
    Family{Opcode::scaled_dot, "_scaled_mm _scaled_mm_v2", Recipe::product},
    Family{Opcode::ragged_dot, "_grouped_mm _scaled_grouped_mm"},
    Family{Opcode::einsum, "einsum"},
    Family{Opcode::cholesky, "cholesky linalg_cholesky_ex"},
    Family{Opcode::triangular_solve, "triangular_solve linalg_solve_triangular"},
    Family{Opcode::convolution, "convolution _convolution cudnn_convolution", Recipe::convolution},
    Family{Opcode::convolution, "conv1d conv2d conv3d", Recipe::functional_convolution},
    Family{Opcode::convolution_backward, "convolution_backward", Recipe::convolution_backward},
    Family{Opcode::attention,
           "scaled_dot_product_attention _scaled_dot_product_flash_attention "
           "_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_efficient_attention "
           "_scaled_dot_product_cudnn_attention _scaled_dot_product_fused_attention_overrideable "
           "_scaled_dot_product_attention_math _flash_attention_forward _efficient_attention_forward"},
    Family{
        Opcode::attention_backward,
        "_scaled_dot_product_flash_attention_backward _scaled_dot_product_flash_attention_for_cpu_backward "
        "_scaled_dot_product_efficient_attention_backward _scaled_dot_product_cudnn_attention_backward "
        "_scaled_dot_product_fused_attention_overrideable_backward _flash_attention_backward "
        "_efficient_attention_backward"},
    Family{Opcode::softmax, "softmax _softmax log_softmax _log_softmax _safe_softmax"},
    Family{Opcode::softmax_backward, "_softmax_backward_data _log_softmax_backward_data"},
    Family{Opcode::normalization,
           "layer_norm native_layer_norm group_norm native_group_norm rms_norm _fused_rms_norm normalize"},
    Family{Opcode::normalization_backward,
           "native_layer_norm_backward native_group_norm_backward _fused_rms_norm_backward"},
    Family{Opcode::batch_norm_training,
           "batch_norm native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_functional "
           "_batch_norm_with_update _batch_norm_with_update_functional cudnn_batch_norm miopen_batch_norm"},
    Family{Opcode::batch_norm_inference, "_native_batch_norm_legit_no_training _batch_norm_no_update"},
    Family{Opcode::batch_norm_grad,
           "native_batch_norm_backward batch_norm_backward cudnn_batch_norm_backward "
           "miopen_batch_norm_backward"},
    Family{Opcode::embedding_backward, "embedding_dense_backward embedding_backward"},
    Family{
        Opcode::loss,
        "nll_loss_forward nll_loss2d_forward nll_loss nll_loss_nd cross_entropy cross_entropy_loss mse_loss "
        "l1_loss smooth_l1_loss huber_loss kl_div binary_cross_entropy binary_cross_entropy_with_logits"},
    Family{Opcode::loss_backward,
           "nll_loss_backward nll_loss2d_backward mse_loss_backward smooth_l1_loss_backward "
           "huber_loss_backward binary_cross_entropy_backward"},
    Family{Opcode::optimizer_update, "_fused_adam _fused_adamw _fused_sgd _fused_adagrad"},
    Family{Opcode::topk, "topk"},
    Family{Opcode::sort, "sort argsort unique_dim _unique2 unique_consecutive"},
    Family{Opcode::fft, "_fft_c2c _fft_r2c _fft_c2r"},
    Family{Opcode::rng,
           "rand randn randint rand_like randn_like randint_like randperm bernoulli uniform normal "
           "normal_functional "
           "multinomial exponential log_normal"},
    Family{
        Opcode::reduce,
        "sum mean amax amin max min prod any all var var_mean std std_mean norm linalg_vector_norm logsumexp "
        "nansum count_nonzero sum_to_size",
        Recipe::dimensions},
    Family{Opcode::scan, "cumsum cumprod cummax cummin logcumsumexp", Recipe::dimensions},
    Family{Opcode::argmax, "argmax argmin", Recipe::dimensions},
    Family{Opcode::reduce_window,
           "max_pool1d max_pool2d max_pool3d max_pool2d_with_indices max_pool3d_with_indices avg_pool1d "
           "avg_pool2d "
           "avg_pool3d adaptive_avg_pool2d _adaptive_avg_pool2d adaptive_max_pool2d"},
    Family{Opcode::pooling_backward,
           "max_pool2d_with_indices_backward max_pool3d_with_indices_backward avg_pool2d_backward "
           "avg_pool3d_backward _adaptive_avg_pool2d_backward adaptive_max_pool2d_backward"},
    Family{Opcode::broadcast, "repeat tile repeat_interleave"},
    Family{Opcode::expand, "expand expand_as broadcast_to"},
    Family{
        Opcode::view,
        "view _unsafe_view reshape view_as reshape_as flatten unflatten squeeze unsqueeze detach alias "
        "as_strided "
        "view_as_complex view_as_real _reshape_alias select slice narrow split split_with_sizes tensor_split "
        "unsafe_split unsafe_chunk chunk unbind diagonal unfold lift_fresh real imag resolve_conj "
        "resolve_neg "
        "contiguous swapaxes movedim _unwrap_tensor_subclass T mT"},
    Family{Opcode::view, "t adjoint numpy_T"},
    Family{Opcode::view, "transpose", Recipe::transposition},
    Family{Opcode::view, "permute", Recipe::permutation},
    Family{Opcode::dynamic_update_slice,
           "slice_scatter select_scatter as_strided_scatter diagonal_scatter setitem"},
    Family{Opcode::concatenate, "cat concat stack hstack vstack", Recipe::dimensions},
    Family{Opcode::pad,
           "constant_pad_nd pad reflection_pad2d replication_pad2d slice_backward select_backward "
           "unfold_backward diagonal_backward"},
    Family{Opcode::reverse, "flip"},
    Family{Opcode::gather, "gather index _unsafe_index take take_along_dim masked_select nonzero"},
    Family{Opcode::index_select, "index_select embedding embedding_bag _embedding_bag"},
    Family{Opcode::scatter,
           "scatter scatter_add scatter_reduce index_put index_add index_copy index_fill _unsafe_index_put "
           "_unsafe_masked_index_put_accumulate index_select_backward gather_backward"},
    Family{Opcode::iota, "arange linspace eye tril_indices triu_indices"},
    Family{Opcode::copy,
           "clone copy roll lift_fresh_copy _local_scalar_dense item one_hot upsample_nearest2d "
           "pixel_shuffle constant_pad meshgrid"},
    Family{Opcode::fill,
           "zeros ones full empty zeros_like ones_like full_like empty_like empty_strided new_zeros new_ones "
           "new_full "
           "new_empty new_empty_strided scalar_tensor fill zero empty_permuted tensor empty_memory_format"},
    Family{Opcode::symbol_size, "sym_size sym_numel sym_stride sym_storage_offset size shape numel sym_sum"},
    Family{Opcode::optimization_barrier,
           "_assert_async _assert_scalar _assert_tensor_metadata sym_constrain_range "
           "sym_constrain_range_for_size "
           "_functional_assert_async _functional_assert_scalar _print record_stream requires_grad_ _check"},
};

// Namespaces whose operators have the names of aten's.
constexpr std::array<std::string_view, 10> aten_spaces{
    "",      "aten",         "prims",        "operator",          "_operator",
    "torch", "torch.Tensor", "torch._C._nn", "torch._C._special", "torch.nn.functional"};

// Operators in other namespaces, with their prefix.
constexpr std::array other_families{
    Family{Opcode::all_reduce,
           "_c10d_functional.all_reduce _c10d_functional.all_reduce_coalesced vllm.all_reduce",
           Recipe::communication},
    Family{Opcode::all_gather,
           "_c10d_functional.all_gather_into_tensor _c10d_functional.all_gather_into_tensor_out "
           "_c10d_functional.all_gather_into_tensor_coalesced vllm.all_gather",
           Recipe::communication},
    Family{Opcode::reduce_scatter,
           "_c10d_functional.reduce_scatter_tensor _c10d_functional.reduce_scatter_tensor_out "
           "_c10d_functional.reduce_scatter_tensor_coalesced vllm.reduce_scatter",
           Recipe::communication},
    Family{Opcode::all_to_all, "_c10d_functional.all_to_all_single", Recipe::communication},
    Family{Opcode::collective_broadcast, "_c10d_functional.broadcast", Recipe::broadcast},
    Family{Opcode::wait, "_c10d_functional.wait_tensor"},
    Family{Opcode::view,
           "torch._functorch.predispatch._add_batch_dim torch._functorch.predispatch._remove_batch_dim"},
    Family{Opcode::convert, "prims.convert_element_type prims.device_put"},
    Family{Opcode::broadcast, "prims.broadcast_in_dim"},
    Family{Opcode::iota, "prims.iota"},
    Family{Opcode::rng,
           "prims.inductor_random prims.inductor_seeds prims.inductor_lookup_seed "
           "prims.inductor_randint rngprims.philox_rand"},
    Family{Opcode::reduce, "prims.sum prims.amax prims.var prims.xor_sum prims.fma"},
    Family{
        Opcode::normalization,
        "_C.rms_norm _C.fused_add_rms_norm apex.fused_layer_norm_affine_fwd apex.fused_rms_norm_affine_fwd"},
    Family{Opcode::normalization_backward, "apex.fused_layer_norm_affine_bwd apex.fused_rms_norm_affine_bwd"},
    Family{Opcode::silu, "_C.silu_and_mul"},
    Family{Opcode::gelu, "_C.gelu_and_mul _C.gelu_tanh_and_mul"},
    Family{Opcode::elementwise, "_C.rotary_embedding"},
    Family{Opcode::attention,
           "vllm.unified_attention vllm.unified_attention_with_output "
           "higher_order.flex_attention"},
    Family{Opcode::attention_backward, "higher_order.flex_attention_backward"},
    Family{Opcode::conditional, "higher_order.cond"},
    Family{Opcode::while_loop, "higher_order.while_loop"},
    Family{Opcode::scan, "higher_order.scan higher_order.associative_scan"},
    Family{Opcode::optimization_barrier,
           "torch._functorch.predispatch.lazy_load_decompositions "
           "torch._functorch.predispatch._vmap_increment_nesting "
           "torch._functorch.predispatch._vmap_decrement_nesting "
           "torch._C._set_grad_enabled torch._C._log_api_usage_once torch._check "
           "torch.amp.autocast_mode._enter_autocast "
           "torch.amp.autocast_mode._exit_autocast torch.set_grad_enabled"},
};

struct Meaning {
    Opcode opcode{Opcode::unknown};
    Recipe recipe{Recipe::plain};
};
using Table = std::unordered_map<std::string_view, Meaning>;

template <std::size_t N>
Table table_of(const std::array<Family, N>& families) {
    Table table;
    for (const Family& family : families) {
        std::string_view rest = family.names;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            table.emplace(rest.substr(0, end), Meaning{family.opcode, family.recipe});
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return table;
}

const Meaning* find(const Table& table, std::string_view name) {
    auto found = table.find(name);
    // In-place operators have the name of the functional ones plus '_'.
    if (found == table.end() && name.ends_with('_')) found = table.find(name.substr(0, name.size() - 1));
    return found == table.end() ? nullptr : &found->second;
}

Meaning meaning_of(std::string_view name) {
    static const Table aten = table_of(aten_families);
    static const Table others = table_of(other_families);
    if (const Meaning* meaning = find(others, name)) return *meaning;
    const std::size_t dot = name.rfind('.');
    const std::string_view space = dot == std::string_view::npos ? "" : name.substr(0, dot);
    if (std::ranges::find(aten_spaces, space) != aten_spaces.end()) {
        if (const Meaning* meaning = find(aten, name.substr(dot + 1))) return *meaning;
    }
    if (name.starts_with("higher_order.")) return {Opcode::call, Recipe::plain};
    return {};
}

/// "aten.mm" for "torch.ops.aten.mm.default".
std::string_view counted_name(std::string_view callee) {
    constexpr std::string_view prefix = "torch.ops.";
    if (!callee.starts_with(prefix)) return callee;
    callee.remove_prefix(prefix.size());
    const std::size_t space = callee.find('.');
    if (space == std::string_view::npos) return callee;
    return callee.substr(0, callee.find('.', space + 1));
}

}  // namespace

Operator Operators::operator[](std::string_view callee) {
    const std::uint32_t number = seen_.add(callee);
    if (number == operators_.size()) {
        const std::string_view name = counted_name(callee);
        const Meaning meaning = meaning_of(name);
        operators_.push_back({name, meaning.opcode, meaning.recipe});
    }
    return operators_[number];
}

Opcode Operators::infix(std::string_view text) {
    switch (text.empty() ? '\0' : text.front()) {
        case '+':
            return Opcode::add;
        case '-':
            return Opcode::subtract;
        case '*':
            return text == "**" ? Opcode::power : Opcode::multiply;
        case '/':
            return Opcode::divide;
        case '%':
            return Opcode::remainder;
        case '&':
            return Opcode::logical_and;
        case '|':
            return Opcode::logical_or;
        case '^':
            return Opcode::logical_xor;
        case '~':
            return Opcode::logical_not;
        case '@':
            return Opcode::dot;
        default:
            return text == "<<"   ? Opcode::shift_left
                   : text == ">>" ? Opcode::shift_right_arithmetic
                                  : Opcode::compare;
    }
}

}  // namespace dse::ir::fx
