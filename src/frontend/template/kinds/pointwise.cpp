#include <fmt/format.h>

#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

Piece pass(std::vector<Use> reads, std::vector<Use> writes, double eager_kernels) {
    return kernel(graph::OpClass::elementwise, std::move(reads), std::move(writes), eager_kernels);
}

/// Checks that operand 1 has the letters and the shape of operand 0.
bool equal_shapes(OperationBuilder& builder) {
    if (builder.tensor(0).shape.size() != builder.tensor(1).shape.size()) {
        builder.fail(fmt::format("'{}' and '{}' have different numbers of dimensions", builder.tensor(0).name,
                                 builder.tensor(1).name));
        return false;
    }
    builder.letter_by_position(0);
    builder.letter_by_position(1);
    return builder.check_letters();
}

const std::string& letters(OperationBuilder& builder, std::size_t operand) {
    return builder.operation().operands[operand].letters;
}

/// y = f(x), element by element; the backward pass reads x.
void unary(OperationBuilder& builder, double eager_forward, double eager_backward) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters(builder, 0));
    builder.operation().forward = pass({{x}}, {{y}}, eager_forward);
    builder.operation().backward = {pass({{y, true}, {x}}, {{x, true}}, eager_backward)};
}

}  // namespace

void add(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0}) || !equal_shapes(builder)) return;
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters(builder, 0));
    builder.operation().linear = true;
    builder.operation().forward = pass({{builder.id(0)}, {builder.id(1)}}, {{y}}, 1);
    builder.operation().passes_gradient = {0, 1};
}

/// x + c · z with a constant c. Operator by operator it is a product and a sum, five passes over the tensor
/// instead of three; the gradient of z is another product. `copied=w`: the w last elements of z were copied
/// to their places among zeros, and autograd keeps them (PyTorch, derivatives.yaml: index_copy's gradient
/// asks its source for its shape by expand_as).
void scaled_add(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0}) || !equal_shapes(builder)) return;
    const TensorId x = builder.id(0);
    const TensorId z = builder.id(1);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters(builder, 0));
    Operation& operation = builder.operation();
    operation.forward = pass({{x}, {z}}, {{y}}, 2);
    operation.forward.eager_passes = 5.0 / 3.0;
    operation.backward = {pass({{y, true}}, {{z, true}}, 1)};
    operation.passes_gradient = {0};
    if (builder.line().option("copied") != nullptr) {
        std::vector<DimId> shape = builder.tensor(1).shape;
        shape.back() = builder.option("copied");
        std::string own = letters(builder, 1);
        own.back() = static_cast<char>(own.back() - 'a' + 'A');
        builder.keep_intermediate("copied", std::move(shape), std::move(own));
    }
    if (!builder.stack().eager_adapters) return;
    for (Use& use : operation.forward.reads) use.passes = 1.5;
    operation.forward.writes.front().passes = 2;
    operation.forward.kernels = 2;
    operation.forward.eager_passes = 1;
}

/// x + w, where w has the last dimensions of x: the bias of a matrix product, or learned positions. It is
/// added when x is written, as in the epilogue of a product; the gradient of w, a sum over all other
/// dimensions, is a separate kernel.
void bias(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0})) return;
    const std::size_t all = builder.tensor(0).shape.size();
    const std::size_t last = builder.tensor(1).shape.size();
    if (last == 0 || last > all) {
        return builder.fail(fmt::format("'{}' has {} dimensions, '{}' {}: it needs the last ones of it",
                                        builder.tensor(1).name, last, builder.tensor(0).name, all));
    }
    builder.letter_by_position(0);
    builder.letter(1, letters(builder, 0).substr(all - last));
    if (!builder.check_letters()) return;
    const TensorId x = builder.id(0);
    const TensorId w = builder.id(1);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters(builder, 0));
    Operation& operation = builder.operation();
    operation.linear = true;
    operation.in_place = true;
    operation.forward = pass({{x, false, 0.0}, {w}}, {{y, false, 0.0}}, 0);
    operation.forward.kernels = 0;
    operation.backward = {pass({{y, true}}, {{w, true}}, 1)};
    operation.backward.front().weight_gradient = true;
    operation.passes_gradient = {0};
}

void dropout(OperationBuilder& builder) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const TensorId x = builder.id(0);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId y = builder.add_result(0, shape, letters(builder, 0));
    builder.operation().view = is_inference(builder.mode());  // no dropout in inference
    const TensorId mask = builder.add_saved("mask", shape, letters(builder, 0), Storage::mask);
    builder.operation().forward = pass({{x}}, {{y}, {mask}}, 1);
    builder.operation().backward = {pass({{y, true}, {mask}}, {{x, true}}, 1)};
}

/// Dropout of an adapter's input, on the tensor that the frozen product gathers ("gathered"), if it does. Its
/// backward pass is part of dropped_einsum, whose gradient of x is a partial sum like that of the frozen
/// product, so that both are reduced at once.
void adapter_dropout(OperationBuilder& builder) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const TensorId x = builder.id(0);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const std::string own = letters(builder, 0);
    const TensorId y = builder.add_result(0, shape, own);
    const TensorId mask = builder.add_saved("mask", shape, own, Storage::mask);
    Operation& operation = builder.operation();
    operation.forward = pass({{x}}, {{y}, {mask}}, 1);
    if (builder.text() == "gathered" && own.size() > 1)
        operation.whole = operation.context_split = own.substr(1, 1);
}

/// out = dropout(z) + x in one kernel: the residual connection of models that train with dropout.
void dropout_add(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0}) || !equal_shapes(builder)) return;
    const TensorId z = builder.id(0);
    const TensorId x = builder.id(1);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId y = builder.add_result(0, shape, letters(builder, 0));
    const TensorId mask = builder.add_saved("mask", shape, letters(builder, 0), Storage::mask);
    builder.operation().forward = pass({{z}, {x}}, {{y}, {mask}}, 3);
    builder.operation().backward = {pass({{y, true}, {mask}}, {{z, true}}, 1)};
    builder.operation().passes_gradient = {1};
}

void gelu(OperationBuilder& builder) {
    unary(builder, 2, 2);
}

/// max(x, 0)². Operator by operator, the forward pass writes max(x, 0) and squares it; the backward pass
/// copies it (its first power), doubles the copy, multiplies by the gradient and masks the product (PyTorch's
/// formulas of `pow` and `relu`): ten passes over the tensor.
void squared_relu(OperationBuilder& builder) {
    unary(builder, 2, 4);
    if (builder.failed() || is_inference(builder.mode()) || !builder.stack().eager_squared_relu) return;
    Piece& forward = builder.operation().forward;
    forward.reads.front().passes = 2;
    forward.writes.front().passes = 2;
    forward.kernels = 2;
    Piece& backward = builder.operation().backward.front();
    for (Use& use : backward.reads) use.passes = 3;
    backward.writes.front().passes = 4;
    backward.kernels = 4;
}

/// max(x, 0); the backward pass derives the sign of x from the result.
void relu(OperationBuilder& builder) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters(builder, 0));
    builder.operation().forward = pass({{x}}, {{y}}, 1);
    builder.operation().backward = {pass({{y, true}, {y}}, {{x, true}}, 1)};
}

namespace {

/// Passes over its operands if it runs operator by operator; autograd then keeps silu(a), too, for the
/// gradient of b. Forward silu, 4 bytes per element of 16 bits, and the product, 6, where one kernel moves 6;
/// backward two products and silu's gradient, 6 each, where one kernel moves 10, and 8 more to join the
/// gradients of two halves.
void count_swiglu_passes(Operation& operation, double joined) {
    operation.forward.eager_passes = 10.0 / 6.0;
    operation.backward.front().eager_passes = (18.0 + joined) / 10.0;
}

/// silu(a) · b of two tensors.
void swiglu_of_two(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 0}) || !equal_shapes(builder)) return;
    const TensorId a = builder.id(0);
    const TensorId b = builder.id(1);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters(builder, 0));
    builder.operation().forward = pass({{a}, {b}}, {{y}}, 2);
    builder.operation().backward = {pass({{y, true}, {a}, {b}}, {{a, true}, {b, true}}, 4)};
    builder.keep_intermediate("silu", builder.tensor(0).shape, letters(builder, 0));
    count_swiglu_passes(builder.operation(), 0.0);
}

}  // namespace

/// silu(a) · b of two tensors, or of the two halves of the last dimension of one.
void swiglu(OperationBuilder& builder) {
    if (builder.operand_count() == 2) return swiglu_of_two(builder);
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const TensorId x = builder.id(0);
    std::vector<DimId> shape = builder.tensor(0).shape;
    if (shape.empty()) return builder.fail("needs a dimension to halve");
    const double whole = builder.extent(shape.back());
    const DimId half = builder.option("width");
    if (builder.failed()) return;
    if (builder.extent(half) * 2 != whole) {
        return builder.fail(
            fmt::format("width {} is not half of the last dimension, {}", builder.extent(half), whole));
    }
    shape.back() = half;
    std::string result_letters = letters(builder, 0);
    result_letters.back() = static_cast<char>(result_letters.back() - 'a' + 'A');
    const TensorId y = builder.add_result(0, shape, result_letters);
    builder.operation().forward = pass({{x}}, {{y}}, 2);
    builder.operation().backward = {pass({{y, true}, {x}}, {{x, true}}, 4)};
    builder.keep_intermediate("silu", std::move(shape), result_letters);
    count_swiglu_passes(builder.operation(), 8.0);
}

namespace {

/// A kernel or several over one tensor, whose backward pass needs nothing but the gradient.
void one_tensor(OperationBuilder& builder, double kernels) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters(builder, 0));
    builder.operation().forward = pass({{x}}, {{y}}, kernels);
    builder.operation().backward = {pass({{y, true}}, {{x, true}}, kernels)};
}

}  // namespace

/// Rotary position embedding, in place. It is a rotation, so that its backward pass only needs the angles.
/// `fused=true`: one kernel also where others run operator by operator (flash-attention's). `matrices=true`:
/// operator by operator, each pair is multiplied by a matrix of 2 x 2 in 32 bits. The cast, the products, of
/// which there are twice as many as elements, their sums and the cast back move 6 + 12 + 12 + 6 bytes per
/// element of 16 bits, 9 times what one kernel moves, and so do their gradients (ibm-fms,
/// modules/positions.py).
void rotary(OperationBuilder& builder) {
    const bool fused = builder.flag("fused");
    const bool by_matrices = builder.flag("matrices");
    if (fused && by_matrices) return builder.fail("'fused' and 'matrices' exclude each other");
    if (!by_matrices) return one_tensor(builder, fused ? 1 : 6);
    one_tensor(builder, 4);
    if (builder.failed()) return;
    builder.operation().forward.eager_passes = 9.0;
    builder.operation().backward.front().eager_passes = 9.0;
}

/// The same values in another order in memory, as a kernel needs them.
void copy(OperationBuilder& builder) {
    one_tensor(builder, 1);
}

}  // namespace dse::frontend::kinds
