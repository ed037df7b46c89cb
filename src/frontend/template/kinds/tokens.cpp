#include "kinds.hpp"

/// Operators on tokens at special positions of a sequence.
namespace dse::frontend::kinds {

/// Prepends a learned token: [b, s, h] and [h] to [b, s+1, h]. Source: Devlin et al. 2019 (BERT's class
/// token).
void prepend(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 1})) return;
    builder.letter(0, "bsh");
    builder.letter(1, "h");
    if (!builder.check_letters()) return;
    const TensorId x = builder.id(0);
    const TensorId w = builder.id(1);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId y = builder.add_result(0, {shape[0], builder.sum(shape[1], 1), shape[2]}, "bSh");
    Operation& operation = builder.operation();
    operation.whole = "s";
    const auto op_class = graph::OpClass::elementwise;
    operation.forward = kernel(op_class, {{x}, {w}}, {{y}}, 1);
    operation.backward = {kernel(op_class, {{y, true}}, {{x, true}, {w, true}}, 2)};
}

/// The first token of each sequence: [b, s, h] to [b, h]. The gradient of the other tokens, zero, is written
/// as well.
void first_token(OperationBuilder& builder) {
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bsh");
    const TensorId x = builder.id(0);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId y = builder.add_result(0, {shape[0], shape[2]}, "bh");
    Operation& operation = builder.operation();
    operation.whole = "s";
    const auto op_class = graph::OpClass::elementwise;
    // It reads as many elements as it writes.
    operation.forward = kernel(op_class, {{x, false, 0.0}}, {{y, false, 2.0}}, 1);
    operation.backward = {kernel(op_class, {{y, true}}, {{x, true}}, 2)};
}

/// As many tokens of each sequence as the option `tokens` says, as BERT's masked ones: [b, s, h] to
/// [b, tokens, h]. The gradient of the other tokens, zero, is written as well. In inference nothing is
/// masked, and all tokens are taken. Source: Devlin et al. 2019, google-research/bert, run_pretraining.py
/// (gather_indexes).
void gather_tokens(OperationBuilder& builder) {
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bsh");
    const DimId masked = builder.option("tokens");
    if (builder.failed()) return;
    const TensorId x = builder.id(0);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const DimId tokens = is_inference(builder.mode()) ? shape[1] : masked;
    const TensorId y = builder.add_result(0, {shape[0], tokens, shape[2]}, "bth");
    Operation& operation = builder.operation();
    operation.whole = "s";
    const auto op_class = graph::OpClass::elementwise;
    // It reads as many elements as it writes.
    operation.forward = kernel(op_class, {{x, false, 0.0}}, {{y, false, 2.0}}, 1);
    operation.backward = {kernel(op_class, {{y, true}}, {{x, true}}, 2)};
}

}  // namespace dse::frontend::kinds
