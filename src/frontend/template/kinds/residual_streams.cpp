#include "kinds.hpp"

/// Residuals of several streams [b, s, streams·h] (hyper-connections: Zhu et al. 2024, arXiv 2409.19606; with
/// doubly stochastic mixes: Xie et al. 2025, arXiv 2512.24880; DeepSeek-V4). How streams are mixed comes from
/// a small product beside them; the work here is to read and write the streams, in one kernel each.
namespace dse::frontend::kinds {

/// The first residual: x [b, s, h] in every one of `streams` streams.
void repeat_streams(OperationBuilder& builder) {
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bsh");
    const DimId streams = builder.option("streams");
    if (builder.failed()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, {shape[0], shape[1], builder.product(streams, shape[2])}, "bsH");
    const auto op_class = graph::OpClass::elementwise;
    Operation& operation = builder.operation();
    operation.whole = "h";
    operation.forward = kernel(op_class, {{x}}, {{y}}, 1);
    operation.backward = {kernel(op_class, {{y, true}}, {{x, true}}, 1)};
}

/// What a layer's part works on, [b, s, width]: a weighted sum of the streams x.
/// \pre the weights of a token, mix [b, s, weights], are some of its last dimension
void gather_streams(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3})) return;
    builder.letter(0, "bsx");
    builder.letter(1, "bsm");
    if (!builder.check_letters()) return;
    const DimId width = builder.option("width");
    if (builder.failed()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId x = builder.id(0);
    const TensorId mix = builder.id(1);
    const TensorId y = builder.add_result(0, {shape[0], shape[1], width}, "bsX");
    const auto op_class = graph::OpClass::elementwise;
    Operation& operation = builder.operation();
    operation.whole = "xm";
    operation.forward = kernel(op_class, {{x}, {mix}}, {{y}}, 2);
    operation.backward = {kernel(op_class, {{y, true}, {x}, {mix}}, {{x, true}, {mix, true}}, 4)};
}

/// The streams behind a layer's part: those before it, x [b, s, streams·h], mixed with each other, and its
/// result z [b, s, h] added to each with a weight of its own.
void spread_streams(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3, 3})) return;
    builder.letter(0, "bsh");
    builder.letter(1, "bsx");
    builder.letter(2, "bsm");
    if (!builder.check_letters()) return;
    const TensorId z = builder.id(0);
    const TensorId x = builder.id(1);
    const TensorId mix = builder.id(2);
    const TensorId y = builder.add_result(0, builder.tensor(1).shape, "bsx");
    const auto op_class = graph::OpClass::elementwise;
    Operation& operation = builder.operation();
    operation.whole = "hxm";
    operation.forward = kernel(op_class, {{z}, {x}, {mix}}, {{y}}, 4);
    operation.backward = {
        kernel(op_class, {{y, true}, {z}, {x}, {mix}}, {{z, true}, {x, true}, {mix, true}}, 8)};
}

}  // namespace dse::frontend::kinds
