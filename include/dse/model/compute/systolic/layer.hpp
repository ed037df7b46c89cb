#pragma once

#include <string>

#include "dse/graph/work.hpp"

namespace dse::model {

/// A convolution in SCALE-Sim's form: one image, no padding (the input is padded already), one stride. A
/// matrix product (m × k)(k × n) is the convolution of an m × k image with n filters of 1 × k.
struct SystolicLayer {
    std::string name;
    double ifmap_height{1};
    double ifmap_width{1};
    double filter_height{1};  ///< <= ifmap_height
    double filter_width{1};   ///< <= ifmap_width
    double channels{1};
    double filters{1};
    double stride{1};

    /// Number of windows along one side; the last one may extend beyond the edge.
    [[nodiscard]] double ofmap_height() const;
    [[nodiscard]] double ofmap_width() const;
    /// The matrix product that the array computes: (windows × elements of a window) by (elements × filters).
    [[nodiscard]] graph::GemmShape product() const;
    /// Number of distinct elements of the input that windows read.
    [[nodiscard]] double ifmap_words() const;
    [[nodiscard]] double filter_words() const;
};

/// A layer for the matrix product (m × k)(k × n).
SystolicLayer product_layer(std::string name, double m, double n, double k);

}  // namespace dse::model
