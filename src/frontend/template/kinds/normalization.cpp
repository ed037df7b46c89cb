#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

Piece pass(workload::OpClass op_class, std::vector<Use> reads, std::vector<Use> writes,
           double eager_kernels) {
    Piece piece;
    piece.op_class = op_class;
    piece.reads = std::move(reads);
    piece.writes = std::move(writes);
    piece.eager_kernels = eager_kernels;
    return piece;
}

/// Normalisation over the last dimension, scaled by vectors of its length.
void normalize(OperationBuilder& builder, std::size_t vectors, double eager_forward, double eager_backward) {
    builder.letter_by_position(0);
    const std::string letters = builder.operation().operands[0].letters;
    if (letters.empty()) return builder.fail("needs a dimension to normalise");
    for (std::size_t i = 1; i <= vectors; ++i) builder.letter(i, letters.substr(letters.size() - 1));
    if (!builder.check_letters()) return;

    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters);
    Operation& operation = builder.operation();
    operation.whole = letters.substr(letters.size() - 1);
    std::vector<Use> reads{{x}};
    for (std::size_t i = 1; i <= vectors; ++i) reads.push_back({operation.operands[i].tensor});
    const workload::OpClass op_class = workload::OpClass::normalization;
    operation.forward = pass(op_class, reads, {{y}}, eager_forward);
    std::vector<Use> writes{{x, true}};
    for (std::size_t i = 1; i <= vectors; ++i) writes.push_back({operation.operands[i].tensor, true});
    reads.push_back({y, true});
    operation.backward = {pass(op_class, reads, std::move(writes), eager_backward)};
}

}  // namespace

void rms_norm(OperationBuilder& builder) {
    if (builder.expect_operands({0, 1})) normalize(builder, 1, 4, 8);
}

void layer_norm(OperationBuilder& builder) {
    if (builder.expect_operands({0, 1, 1})) normalize(builder, 2, 1, 2);
}

/// Softmax over the last dimension; the backward pass needs only the result.
void softmax(OperationBuilder& builder) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const std::string letters = builder.operation().operands[0].letters;
    if (letters.empty()) return builder.fail("needs a dimension");
    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters);
    Operation& operation = builder.operation();
    operation.whole = letters.substr(letters.size() - 1);
    operation.forward = pass(workload::OpClass::softmax, {{x}}, {{y}}, 2);
    operation.backward = {pass(workload::OpClass::softmax, {{y, true}, {y}}, {{x, true}}, 2)};
}

}  // namespace dse::frontend::kinds
