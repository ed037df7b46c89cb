#include <algorithm>

#include <fmt/format.h>

#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

/// Bytes of a logit in compute precision; products of fewer than 16 bits have results of 16.
double size_of_logit(const graph::SoftwareStack& stack) {
    return std::max(2.0, graph::bytes_of(stack.precision).value());
}

/// The kernels that run: logits that are computed in fp32 are not cast to it.
graph::LossKernel loss_of(const graph::SoftwareStack& stack) {
    const bool casts = size_of_logit(stack) < 4.0;
    return stack.loss == graph::LossKernel::unfused && !casts ? graph::LossKernel::narrow : stack.loss;
}

/// Traffic of the loss, forward and backward together, in bytes per logit.
/// Source: docs/theory/effects.md (44 operator by operator, 24 compiled, 14 fused). On logits that are not
/// cast, PyTorch's log-softmax reads and writes them (twice their bytes), the negative log-likelihood's
/// gradient is a tensor of zeros but for the targets (once), and the log-softmax's backward kernel reads both
/// and writes a third (three times).
/// Megatron-Core's fused loss (core 0.9, fusions/fused_cross_entropy.py) is four compiled functions between
/// collectives: an fp32 copy and its maximum (6), exponentials and their sum (8), their division (8), and the
/// gradient in both formats (10).
double loss_bytes(const graph::SoftwareStack& stack) {
    switch (loss_of(stack)) {
        case graph::LossKernel::unfused:
        case graph::LossKernel::in_place:
        case graph::LossKernel::shifted:
            return 44;
        case graph::LossKernel::narrow:
            return 6 * size_of_logit(stack);
        case graph::LossKernel::compiled:
            return 24;
        case graph::LossKernel::staged:
            return 32;
        case graph::LossKernel::fused:
            return 14;
    }
    return 0;
}

/// Reads the logits [b, s, v], or [b, v] if a sample has one answer, and statistics of their rows.
/// \returns the letters of a row; empty if the line has an error
std::string read_logits(OperationBuilder& builder) {
    if (builder.failed()) return {};
    if (builder.operand_count() == 0) {
        builder.fail("needs the logits");
        return {};
    }
    const std::size_t rank = builder.tensor(0).shape.size();
    if (rank != 2 && rank != 3) {
        builder.fail("the logits have two or three dimensions");
        return {};
    }
    const std::string row = rank == 3 ? "bs" : "b";
    builder.letter(0, row + "v");
    for (std::size_t i = 1; i < builder.operand_count(); ++i) builder.letter(i, row);
    return builder.check_letters() ? row : "";
}

/// Shape of one number per row of the logits.
std::vector<DimId> rows_of_logits(OperationBuilder& builder) {
    std::vector<DimId> shape = builder.tensor(0).shape;
    shape.pop_back();
    return shape;
}

}  // namespace

/// Rows of a table [v, h] selected by indices [b, s]. If the vocabulary is split, a device only has some of
/// the rows, so that the result is a partial sum.
void embedding(OperationBuilder& builder) {
    if (!builder.expect_operands({2, 2})) return;
    builder.letter(0, "bs");
    builder.letter(1, "vh");
    const TensorId tokens = builder.id(0);
    const TensorId table = builder.id(1);
    if (builder.tensor(0).storage != Storage::index) {
        return builder.fail(fmt::format("'{}' does not contain indices (declare it with storage: index)",
                                        builder.tensor(0).name));
    }
    std::vector<DimId> shape = builder.tensor(0).shape;
    shape.push_back(builder.tensor(1).shape[1]);
    const TensorId y = builder.add_result(0, std::move(shape), "bsh");

    Operation& operation = builder.operation();
    Piece lookup;
    lookup.op_class = graph::OpClass::embedding;
    // As many rows are read as are written, regardless of the table's size.
    lookup.reads = {{tokens}, {table, false, 0.0}};
    lookup.writes = {{y, false, 2.0}};
    lookup.eager_kernels = 3;
    operation.forward = lookup;
    // The scatter adds to the accumulated gradient: it reads and writes rows, not the whole table.
    Piece scatter = lookup;
    scatter.reads = {{tokens}, {y, true, 3.0}};
    scatter.writes = {{table, true, 0.0}};
    scatter.weight_gradient = true;
    operation.backward = {scatter};
}

/// One number per row over the vocabulary (maximum, sum of exponentials, target's logit), in fp32: three
/// small reductions if the vocabulary is split. Its memory traffic is part of cross_entropy.
void row_statistic(OperationBuilder& builder) {
    const std::string row = read_logits(builder);
    if (row.empty()) return;
    const TensorId y = builder.add_result(0, rows_of_logits(builder), row, Storage::full);
    Piece& forward = builder.operation().forward;
    forward.op_class = graph::OpClass::loss;
    for (const Operation::Operand& operand : builder.operation().operands)
        forward.reads.push_back({operand.tensor});
    forward.writes = {{y}};
    forward.kernels = 0;
    forward.eager_kernels = 1;
}

namespace {

/// Draws the next token for each row of logits: one pass over the whole vocabulary, like softmax.
void draw_token(OperationBuilder& builder) {
    if (builder.failed()) return;
    if (builder.operand_count() == 0 || builder.tensor(0).shape.size() != 3)
        return builder.fail("inference draws tokens of logits [b, s, vocabulary]");
    builder.letter(0, "bsv");
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId logits = builder.id(0);
    const TensorId token = builder.add_result(0, {shape[0], shape[1]}, "bs", Storage::index);
    builder.operation().whole = "v";
    builder.operation().forward = kernel(graph::OpClass::softmax, {{logits}}, {{token}}, 4);
}

}  // namespace

/// The loss per token from the logits and their row statistics. Keeps the probabilities in fp32 for its
/// backward pass, or in compute precision if the logits stay in it; a fused loss kernel keeps the logits
/// themselves instead and replaces them by their gradient.
void cross_entropy(OperationBuilder& builder) {
    if (is_inference(builder.mode())) return draw_token(builder);
    const std::string row = read_logits(builder);
    if (row.empty()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId logits = builder.id(0);
    const TensorId loss = builder.add_result(0, rows_of_logits(builder), row, Storage::full);
    const graph::LossKernel kernels = loss_of(builder.stack());
    const bool fused = kernels == graph::LossKernel::fused;
    const bool narrow = kernels == graph::LossKernel::narrow;
    const TensorId kept = fused ? logits
                                : builder.add_saved("probabilities", shape, row + "v",
                                                    narrow ? Storage::activation : Storage::full);

    Operation& operation = builder.operation();
    Piece& forward = operation.forward;
    forward.op_class = graph::OpClass::loss;
    for (const Operation::Operand& operand : operation.operands) forward.reads.push_back({operand.tensor});
    forward.writes = {{loss}};
    if (!fused) forward.writes.push_back({kept});
    forward.bytes_per_element = (loss_bytes(builder.stack()) + builder.stack().logit_bytes) / 2;
    // Run operator by operator, an fp32 copy of the logits exists before the softmax. In the backward pass,
    // the dense gradients of the log-softmax and of this copy exist as well, until the latter is cast to a
    // lower precision: 4 + 4 + 4 bytes in total. Megatron-LM's maximum, exponentials, quotient and gradient
    // all replace that copy, which is what it keeps (core/tensor_parallel/cross_entropy.py). Up to core 0.7,
    // they replaced a second one, beside which the first stayed until the forward pass of the loss had ended.
    const bool unfused = kernels == graph::LossKernel::unfused;
    forward.workspace_per_element = unfused || kernels == graph::LossKernel::shifted ? 4 : 0;
    forward.eager_kernels = 6;
    Piece backward;
    backward.op_class = graph::OpClass::loss;
    backward.reads = {{kept}};
    backward.writes = {{logits, true}};
    backward.bytes_per_element = forward.bytes_per_element;
    if (unfused) backward.workspace_per_element = 6;
    if (narrow)
        backward.workspace_per_element = size_of_logit(builder.stack());  // the log-softmax's gradient
    backward.eager_kernels = 4;
    operation.backward = {backward};
}

}  // namespace dse::frontend::kinds
