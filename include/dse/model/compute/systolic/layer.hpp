#pragma once

#include <string>

#include "dse/graph/work.hpp"

namespace dse::model {

/// A convolution as SCALE-Sim states one: one image, no padding (the input is padded already), one stride. A
/// product (m × k)(k × n) is the convolution of an m × k image with n filters of 1 × k.
struct SystolicLayer {
    std::string name;
    double ifmap_height{1};
    double ifmap_width{1};
    double filter_height{1};  ///< <= ifmap_height
    double filter_width{1};   ///< <= ifmap_width
    double channels{1};
    double filters{1};
    double stride{1};

    /// Windows along one side; the last one may reach over the edge.
    [[nodiscard]] double ofmap_height() const;
    [[nodiscard]] double ofmap_width() const;
    /// The product that the array computes: windows × their elements, by filters.
    [[nodiscard]] graph::GemmShape product() const;
    /// Elements of the input that any window reads, each once.
    [[nodiscard]] double ifmap_words() const;
    [[nodiscard]] double filter_words() const;
};

/// A layer that is the product (m × k)(k × n).
SystolicLayer product_layer(std::string name, double m, double n, double k);

}  // namespace dse::model
