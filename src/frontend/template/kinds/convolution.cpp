#include <fmt/format.h>

#include "kinds.hpp"
#include "window.hpp"

/// Convolutions. FLOPs count the whole window at every position, including padding, like published figures
/// and implicit matrix products; XLA's rule excludes the padding (3.5 % of ResNet-50).
namespace dse::frontend::kinds {
namespace {

/// A convolution as a matrix product: positions × (window × channels) × filters.
struct Window {
    DimId height;  ///< of the result
    DimId width;
    DimId groups;
    /// Ratio of the numbers of positions of result and input: the share of a full window that contributes to
    /// an input's gradient.
    double density{1.0};
};

bool read_window(OperationBuilder& builder, Window& window) {
    const DimId stride = builder.option("stride", "1");
    const DimId padding = builder.option("padding", "0");
    window.groups = builder.option("groups", "1");
    if (builder.failed()) return false;
    const std::vector<DimId>& image = builder.tensor(0).shape;
    const std::vector<DimId>& filter = builder.tensor(1).shape;
    const double channels = builder.extent(image[3]);
    if (builder.extent(filter[2]) * builder.extent(window.groups) != channels) {
        builder.fail(fmt::format("'{}' has {} channels, but '{}' {} in each of {} groups",
                                 builder.tensor(0).name, channels, builder.tensor(1).name,
                                 builder.extent(filter[2]), builder.extent(window.groups)));
        return false;
    }
    window.height = window_positions(builder, image[1], filter[0], stride, padding);
    window.width = window_positions(builder, image[2], filter[1], stride, padding);
    if (builder.failed()) return false;
    const double results = builder.extent(window.height) * builder.extent(window.width);
    if (!(builder.extent(window.height) >= 1 && builder.extent(window.width) >= 1)) {
        builder.fail(fmt::format("the window is larger than '{}' with its padding", builder.tensor(0).name));
        return false;
    }
    window.density = results / (builder.extent(image[1]) * builder.extent(image[2]));
    return true;
}

}  // namespace

/// x [b, h, w, c] and a filter [kh, kw, c/groups, o] to [b, h', w', o]. Each of the three passes reads two of
/// the tensors and writes the third, once: the implicit product unfolds nothing in memory. Positions are not
/// split over devices, so that no halos are exchanged. Source: Chetlur et al. 2014 (cuDNN).
void convolution(OperationBuilder& builder) {
    if (!builder.expect_operands({4, 4})) return;
    Window window;
    if (!read_window(builder, window)) return;
    const bool grouped = builder.extent(window.groups) != 1.0;
    builder.letter(0, "bhwc");
    builder.letter(1, grouped ? "ijqo" : "ijco");
    const std::vector<DimId> image = builder.tensor(0).shape;
    const std::vector<DimId> filter = builder.tensor(1).shape;
    const TensorId x = builder.id(0);
    const TensorId w = builder.id(1);
    const bool weight = builder.tensor(1).role == TensorRole::parameter;
    const TensorId y = builder.add_result(0, {image[0], window.height, window.width, filter[3]}, "bxyo");
    if (builder.failed()) return;

    Operation& operation = builder.operation();
    // The filters of a group only use its own channels.
    operation.whole = grouped ? "hwijxycqo" : "hwijxy";
    const Factor b{image[0], 'b'};
    const Factor in{filter[2], grouped ? 'q' : 'c'};
    const Factor out{grouped ? builder.quotient(filter[3], window.groups) : filter[3], 'o'};
    const std::vector<Factor> groups{{window.groups, '\0'}};
    const std::vector<Factor> at_result{b, {window.height, 'x'}, {window.width, 'y'}};
    const std::vector<Factor> at_input{b, {image[1], 'h'}, {image[2], 'w'}};
    const std::vector<Factor> unfolded{{filter[0], 'i'}, {filter[1], 'j'}, in};
    const std::vector<Factor> folded_back{{filter[0], 'i'}, {filter[1], 'j'}, out};
    operation.forward = product({groups, at_result, {out}, unfolded}, 1.0, {{x}, {w}}, {y});
    Piece to_x = product({groups, at_input, {in}, folded_back}, window.density, {{y, true}, {w}}, {x, true});
    // A parameter's gradient is accumulated: read and written.
    Piece to_w =
        product({groups, unfolded, {out}, at_result}, 1.0, {{x}, {y, true}}, {w, true, weight ? 2.0 : 1.0});
    to_w.weight_gradient = weight;
    operation.backward = {std::move(to_x), std::move(to_w)};
}

}  // namespace dse::frontend::kinds
