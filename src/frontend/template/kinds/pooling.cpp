#include <fmt/format.h>

#include "kinds.hpp"
#include "window.hpp"

namespace dse::frontend::kinds {

/// The maximum of each window: [b, h, w, c] to [b, h', w', c]. Keeps its position.
void max_pool(OperationBuilder& builder) {
    if (!builder.expect_operands({4})) return;
    builder.letter(0, "bhwc");
    const DimId window = builder.option("window");
    const DimId stride = builder.option("stride", "1");
    const DimId padding = builder.option("padding", "0");
    if (builder.failed()) return;
    std::vector<DimId> shape = builder.tensor(0).shape;
    for (const std::size_t i : {1, 2})
        shape[i] = window_positions(builder, shape[i], window, stride, padding);
    if (builder.failed()) return;
    if (!(builder.extent(shape[1]) >= 1 && builder.extent(shape[2]) >= 1))
        return builder.fail(fmt::format("the window is larger than '{}'", builder.tensor(0).name));
    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, shape, "bxyc");
    const TensorId places = builder.add_saved("places", shape, "bxyc", Storage::index);
    Operation& operation = builder.operation();
    operation.whole = "hwxy";
    const auto op_class = graph::OpClass::elementwise;
    operation.forward = kernel(op_class, {{x}}, {{y}, {places}}, 1);
    operation.backward = {kernel(op_class, {{y, true}, {places}}, {{x, true}}, 1)};
}

/// The mean of all positions: [b, h, w, c] to [b, c].
void mean_pool(OperationBuilder& builder) {
    if (!builder.expect_operands({4})) return;
    builder.letter(0, "bhwc");
    const TensorId x = builder.id(0);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId y = builder.add_result(0, {shape[0], shape[3]}, "bc");
    Operation& operation = builder.operation();
    operation.whole = "hw";
    const auto op_class = graph::OpClass::elementwise;
    operation.forward = kernel(op_class, {{x}}, {{y}}, 1);
    operation.backward = {kernel(op_class, {{y, true}}, {{x, true}}, 1)};
}

}  // namespace dse::frontend::kinds
