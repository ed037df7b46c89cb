#pragma once

#include "dse/graph/work.hpp"

namespace dse::app {

/// A convolution over two dimensions, as its author states it: `images` of height × width × channels, and
/// `filters` of filter_height × filter_width × channels / groups.
struct Convolution {
    double images{1};
    double height{1};
    double width{1};
    double channels{1};
    double filters{1};
    double filter_height{1};
    double filter_width{1};
    double stride{1};
    double padding{0};  ///< on each side of height and width
    double groups{1};

    [[nodiscard]] double output_height() const;
    [[nodiscard]] double output_width() const;
};

/// \throws InputError naming what does not fit: a filter larger than the padded image, groups that divide
///     neither channels nor filters
void require_valid(const Convolution& convolution);

/// The product that it is (implicit GEMM): windows × the elements of one, by the filters of a group, `batch`
/// groups. Bytes are those of the image, the filters and the result, each once: windows that overlap are read
/// from memory once.
graph::Compute work_of(const Convolution& convolution, graph::Precision precision);

}  // namespace dse::app
