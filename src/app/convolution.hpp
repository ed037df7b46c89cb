#pragma once

#include "dse/graph/work.hpp"

namespace dse::app {

/// A two-dimensional convolution as usually specified: `images` of height × width × channels, and `filters`
/// of filter_height × filter_width × channels / groups.
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

/// \throws InputError naming the conflict: a filter larger than the padded image, or groups that do not
///         divide channels and filters
void require_valid(const Convolution& convolution);

/// The convolution as an implicit GEMM: windows × elements per window, times the filters of a group, with one
/// batch entry per group. Bytes count the images, the filters and the result once each: overlapping windows
/// are read from memory once.
graph::Compute work_of(const Convolution& convolution, graph::Precision precision);

}  // namespace dse::app
