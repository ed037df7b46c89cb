#include <fmt/format.h>

#include "kinds.hpp"

/// State-space models: Mamba-2's convolution, scan and gated norm. Source: Dao and Gu 2024 (arXiv
/// 2405.21060).
namespace dse::frontend::kinds {
namespace {

/// Work of Mamba-2's scan in chunks, as if on the vector units, relative to its products: between them,
/// decays of each pair of tokens are exponentials of 32 bits and states are rounded, and the matrix units
/// wait. 70.8 TFLOP/s on B200 with 64 heads, 128 of state and chunks of 128, 70.1 and 69.7 with 128 and 256
/// heads, where the vector units have 80 (AIConfigurator 095f58a, systems/data, linear_attention of
/// TensorRT-LLM 1.3.0rc15, mamba_chunk_scan_combined, 65,536 tokens and more).
constexpr double scan_passes = 1.13;

/// Work of the backward pass of the delta rule's scan relative to that of its forward pass: from its
/// products, since nobody has published a step with it.
constexpr double delta_backward = 3.0;

/// Time of a scan by the delta rule relative to attention to the keys of a chunk, which has the same
/// products: each token also takes back what its key recalls, for which products and a triangular system are
/// solved in each chunk, in kernels of their own. 1.68 to 1.79 on B200 with four and more sequences (the same
/// data, SGLang 0.5.14, chunk_gated_delta_rule with 8 and 16 heads; 1.3 to 2.9 on H200).
constexpr double delta_passes = 1.7;

/// The states of each chunk in fp32 are written, read and written when chunks are combined, and read again.
constexpr double state_crossings = 4.0;

/// Sizes of the scan: `heads` with `head_dim` channels, `groups` of keys and queries with `state` numbers.
struct Scan {
    DimId heads;
    DimId head_dim;
    DimId state;
    DimId groups;
    DimId chunk;
};

bool read_scan(OperationBuilder& builder, Scan& scan) {
    scan.heads = builder.option("heads");
    scan.head_dim = builder.option("head_dim");
    scan.state = builder.option("state");
    scan.groups = builder.option("groups", "1");
    scan.chunk = builder.option("chunk", "256");
    if (builder.failed()) return false;
    const DimId two = builder.dimension("2");
    const DimId keys_and_queries = builder.product(two, builder.product(scan.groups, scan.state));
    return builder.expect_equal(builder.tensor(0).shape[2], builder.product(scan.heads, scan.head_dim),
                                fmt::format("heads x head_dim of '{}'", builder.tensor(0).name)) &&
           builder.expect_equal(builder.tensor(1).shape[2], keys_and_queries,
                                fmt::format("2 x groups x state of '{}'", builder.tensor(1).name)) &&
           builder.expect_equal(builder.tensor(2).shape[2], scan.heads,
                                fmt::format("the step sizes '{}'", builder.tensor(2).name));
}

/// FLOPs of the chunked algorithm relative to those of the scores of all tokens with the Q keys of a chunk.
/// They include the causal half of the scores (per group) and of their products with values (per head), and
/// the computation and the use of states. All of them are counted as divided by tp, although with one group
/// every device computes the scores.
double chunked_factor(const OperationBuilder& builder, const Scan& scan) {
    const double head_dim = builder.extent(scan.head_dim);
    const double state = builder.extent(scan.state);
    const double chunk = builder.extent(scan.chunk);
    const double sharing = builder.extent(scan.heads) / builder.extent(scan.groups);
    return (chunk * (state / sharing + head_dim) + 4.0 * head_dim * state) / (2.0 * chunk * state);
}

}  // namespace

/// Consecutive parts of the last dimension: a, b = split(x, a=width, b=width).
void split(OperationBuilder& builder) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    std::string letters = builder.operation().operands[0].letters;
    if (letters.empty()) return builder.fail("needs a dimension to split");
    const std::vector<DimId> shape = builder.tensor(0).shape;
    // The parts are split like the whole, but have different extents.
    letters.back() = static_cast<char>(letters.back() - 'a' + 'A');
    double sum = 0;
    for (std::size_t i = 0; i < builder.line().results.size(); ++i) {
        std::vector<DimId> part = shape;
        part.back() = builder.option(builder.line().results[i]);
        if (builder.failed()) return;
        sum += builder.extent(part.back());
        builder.add_result(i, std::move(part), letters);
    }
    if (sum != builder.extent(shape.back())) {
        return builder.fail(fmt::format("the parts are {} wide, but the last dimension of '{}' is {}", sum,
                                        builder.tensor(0).name, builder.extent(shape.back())));
    }
    builder.operation().view = true;
    builder.operation().passes_gradient = {0};
}

/// Convolves each channel of x [b, s, c] with its own w [c, window] over the preceding tokens, adds a bias
/// and applies SiLU, in one kernel; the backward pass reads x again. It uses no matrix units and, as in
/// Megatron-LM's count, has no model FLOPs.
void causal_convolution(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 2, 1})) return;
    builder.letter(0, "bsc");
    builder.letter(1, "ck");
    builder.letter(2, "c");
    if (!builder.check_letters()) return;
    const TensorId x = builder.id(0);
    const TensorId w = builder.id(1);
    const TensorId bias = builder.id(2);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, "bsc");
    const GemmFactors window{
        {builder.factor('c')}, {builder.factor('b'), builder.factor('s')}, {}, {builder.factor('k')}};
    Operation& operation = builder.operation();
    operation.whole = "s";
    // Of earlier tokens, the next one needs all that its window covers.
    if (is_inference(builder.mode())) {
        const DimId earlier = builder.dimension("(" + builder.text_of(builder.factor('k').dim) + ") - 1");
        builder.keep_state({builder.factor('c').dim, earlier}, "bck", Storage::activation);
    }
    const auto op_class = graph::OpClass::elementwise;
    operation.forward = kernel(op_class, {{x}, {w}, {bias}}, {{y}}, 2);
    operation.forward.gemm = window;
    operation.forward.executed_factor = 1.0;
    operation.backward = {
        kernel(op_class, {{y, true}, {x}, {w}, {bias}}, {{x, true}, {w, true}, {bias, true}}, 2)};
    operation.backward.front().gemm = window;
    // Recomputes the result, and computes both gradients.
    operation.backward.front().executed_factor = 3.0;
}

namespace {

/// \param chunks  class of the kernels that work in chunks; one more token is read like a cache
/// \param rule  work in chunks relative to its products
/// \param backward_work  relative to that of the forward pass
/// \param crossings  of the memory by the states of all chunks
void scan_states(OperationBuilder& builder, graph::OpClass chunks, double rule, double backward_work,
                 double crossings) {
    if (!builder.expect_operands({3, 3, 3, 1, 1, 1})) return;
    builder.letter(0, "bsc");
    builder.letter(1, "bsn");
    // Heads are split like their channels, but have a different extent.
    builder.letter(2, "bsC");
    for (const std::size_t vector : {3, 4, 5}) builder.letter(vector, "C");
    if (!builder.check_letters()) return;
    Scan scan;
    if (!read_scan(builder, scan)) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId y = builder.add_result(0, shape, "bsc");

    Operation& operation = builder.operation();
    operation.whole = "sn";
    operation.indivisible = {{scan.heads, 'c'}};
    const Factor b{shape[0], 'b'};
    const Factor s{shape[1], 's'};
    const GemmFactors scores{{b, {scan.heads, 'c'}}, {s}, {{scan.chunk, '\0'}}, {{scan.state, '\0'}}};
    const double asked = 3.5 * builder.extent(scan.head_dim) / builder.extent(scan.chunk);
    // A single kernel updates the state with one more token and reads it.
    const bool decodes = builder.mode() == graph::Mode::decode;
    const double passes = decodes ? 1.0 : rule;
    const double of_a_token = (decodes ? state_crossings : crossings) / builder.extent(scan.chunk);
    // What passes between chunks has 32 bits, what stays until the next token those of the engine.
    const Storage kept = decodes ? Storage::state : Storage::full;
    const Traffic traffic{{b, s, {shape[2], 'c'}, {scan.state, '\0'}}, kept, of_a_token};
    if (is_inference(builder.mode())) builder.keep_state({shape[2], scan.state}, "bcn", Storage::state);

    const std::vector<Use> inputs = operands_of(operation);
    std::vector<Use> backward_inputs{{y, true}};
    backward_inputs.insert(backward_inputs.end(), inputs.begin(), inputs.end());
    const auto op_class = decodes ? graph::OpClass::attention : chunks;
    const double chunked = passes * chunked_factor(builder, scan);
    operation.forward = kernel(op_class, inputs, {{y}}, 5);
    operation.forward.gemm = scores;
    operation.forward.model_factor = asked;
    operation.forward.executed_factor = chunked;
    operation.forward.traffic = {traffic};
    operation.forward.kernels = decodes ? 1 : 5;
    Piece backward = kernel(op_class, std::move(backward_inputs), gradients_of(operation), 10);
    backward.gemm = scores;
    backward.model_factor = 2 * asked;
    backward.executed_factor = backward_work * chunked;
    backward.traffic = {traffic, traffic};
    backward.kernels = 10;
    operation.backward = {std::move(backward)};
}

}  // namespace

/// The selective scan in chunks: u [b, s, heads·head_dim], keys and queries [b, s, 2·groups·state], step
/// sizes [b, s, heads], and decay, skip and step bias of each head. Model FLOPs: 7 per token, channel and
/// state number, as in Megatron-LM's count (docs/theory/work.md 1.2). The executed algorithm is chunked:
/// causal attention within chunks and a state passed from chunk to chunk, at the rate of the vector units.
/// States are not kept for the backward pass but recomputed.
void selective_scan(OperationBuilder& builder) {
    scan_states(builder, graph::OpClass::elementwise, scan_passes, builder.stack().scan_backward,
                state_crossings);
}

/// The same by the delta rule (Gated DeltaNet: Yang, Kautz and Hatamizadeh 2024, arXiv 2412.06464), which the
/// device runs like attention to the keys of a chunk.
void delta_scan(OperationBuilder& builder) {
    scan_states(builder, graph::OpClass::attention, delta_passes, delta_backward,
                delta_passes * state_crossings);
}

/// RMSNorm of x · silu(z) over the last dimension; if that is split, over each device's part, so that no
/// communication is needed. Source: Dao and Gu 2024, section 8.1.
void gated_norm(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3, 1})) return;
    builder.letter(0, "bsc");
    builder.letter(1, "bsc");
    builder.letter(2, "c");
    if (!builder.check_letters()) return;
    const TensorId x = builder.id(0);
    const TensorId z = builder.id(1);
    const TensorId w = builder.id(2);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, "bsc");
    const auto op_class = graph::OpClass::normalization;
    builder.operation().forward = kernel(op_class, {{x}, {z}, {w}}, {{y}}, 6);
    builder.operation().backward = {
        kernel(op_class, {{x}, {z}, {w}, {y, true}}, {{x, true}, {z, true}, {w, true}}, 12)};
}

}  // namespace dse::frontend::kinds
