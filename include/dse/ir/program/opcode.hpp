#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dse::ir {

/// What an operation does, whichever language says it. The vocabulary is HLO's, with what StableHLO, Shardy
/// and PyTorch's aten have beyond it; several names of one language may be one opcode (`dot` and
/// `dot_general`). In the order of OpcodeClass.
enum class Opcode : std::uint8_t {
    // elementwise: one result element from one element of each operand; counted as one FLOP
    abs,
    add,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    subtract,
    multiply,
    divide,
    remainder,
    maximum,
    minimum,
    negate,
    sign,
    compare,
    select,
    clamp,
    convert,
    floor,
    ceil,
    round_nearest_afz,
    round_nearest_even,
    is_finite,
    shift_left,
    shift_right_arithmetic,
    shift_right_logical,
    popcnt,
    count_leading_zeros,
    real,
    imag,
    complex,
    reduce_precision,
    stochastic_convert,
    uniform_quantize,
    uniform_dequantize,
    relu,
    relu_backward,
    dropout,
    elementwise,  ///< an element-wise operator that is none of these
    // transcendental: element-wise, of XLA's list of transcendental functions
    acos,
    acosh,
    asin,
    asinh,
    atan2,
    atanh,
    cbrt,
    cosine,
    cosh,
    erf,
    exponential,
    exponential_minus_one,
    log,
    log_plus_one,
    logistic,
    power,
    rsqrt,
    sine,
    sinh,
    sqrt,
    tan,
    tanh,
    gelu,
    gelu_backward,
    silu,
    silu_backward,
    special,  ///< a special function that is none of these
    // contraction: matrix products and convolutions
    dot,
    ragged_dot,
    scaled_dot,
    convolution,
    convolution_backward,
    einsum,
    triangular_solve,
    cholesky,
    // kernel: what frameworks hand over as one fused operator
    attention,
    attention_backward,
    softmax,
    softmax_backward,
    normalization,
    normalization_backward,
    batch_norm_training,
    batch_norm_inference,
    batch_norm_grad,
    embedding_backward,
    loss,
    loss_backward,
    optimizer_update,
    topk,
    sort,
    fft,
    rng,
    rng_bit_generator,
    rng_get_and_update_state,
    // reduction: fewer elements than there were
    reduce,
    reduce_window,
    select_and_scatter,
    map,
    scan,
    pooling_backward,
    argmax,
    // movement: moves or repeats elements, computes nothing
    broadcast,
    reshape,
    dynamic_reshape,
    transpose,
    slice,
    dynamic_slice,
    dynamic_update_slice,
    concatenate,
    pad,
    dynamic_pad,
    reverse,
    gather,
    scatter,
    iota,
    copy,
    copy_start,
    copy_done,
    bitcast,
    bitcast_convert,
    set_dimension_size,
    get_dimension_size,
    view,
    expand,
    index_select,
    fill,
    // communication: between devices
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    ragged_all_to_all,
    collective_permute,
    collective_broadcast,
    collective_reduce,
    all_reduce_start,
    all_reduce_done,
    all_gather_start,
    all_gather_done,
    collective_permute_start,
    collective_permute_done,
    send,
    send_done,
    recv,
    recv_done,
    infeed,
    outfeed,
    wait,
    // control: runs other computations
    while_loop,
    conditional,
    call,
    fusion,
    composite,
    async_start,
    async_update,
    async_done,
    manual_computation,
    named_computation,
    // bookkeeping: names, groups and orders values; no device work
    parameter,
    constant,
    tuple,
    get_tuple_element,
    after_all,
    add_dependency,
    domain,
    optimization_barrier,
    partition_id,
    replica_id,
    terminator,
    sharding_constraint,
    reshard,
    propagation_barrier,
    sharding_group,
    data_flow_edge,
    mesh,
    function,
    module,
    symbol_size,
    // foreign: known by name only
    custom_call,
    unknown,
};

/// Families of opcodes.
enum class OpcodeClass : std::uint8_t {
    elementwise,     ///< one result element from one element of each operand; counted as one FLOP
    transcendental,  ///< element-wise, of XLA's list of transcendental functions
    contraction,     ///< matrix products and convolutions
    kernel,          ///< what frameworks hand over as one fused operator
    reduction,       ///< fewer elements than there were
    movement,        ///< moves or repeats elements, computes nothing
    communication,   ///< between devices
    control,         ///< runs other computations
    bookkeeping,     ///< names, groups and orders values; no device work
    foreign,         ///< known by name only
};

/// Its name in this vocabulary: "dot", "all_gather_start", "while".
std::string_view name(Opcode opcode);
OpcodeClass opcode_class(Opcode opcode);

/// The opcode of that name in this vocabulary ('-' counts as '_', as HLO writes it); nothing where there is
/// none.
std::optional<Opcode> opcode(std::string_view name);

}  // namespace dse::ir
