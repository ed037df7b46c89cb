#include "dse/model/compute/systolic/layer.hpp"

#include <algorithm>
#include <cmath>

namespace dse::model {
namespace {

double windows(double size, double filter, double stride) {
    return std::ceil((size - filter + stride) / stride);
}

/// Number of elements out of `size` along one side that the windows cover.
double covered(double size, double filter, double stride) {
    const double last = (windows(size, filter, stride) - 1.0) * stride;
    if (stride <= filter) return std::min(size, last + filter);
    // There are gaps between the windows; the last window may start beyond the edge.
    return last / stride * filter + std::clamp(size - last, 0.0, filter);
}

}  // namespace

double SystolicLayer::ofmap_height() const {
    return windows(ifmap_height, filter_height, stride);
}

double SystolicLayer::ofmap_width() const {
    return windows(ifmap_width, filter_width, stride);
}

graph::GemmShape SystolicLayer::product() const {
    return {1.0, ofmap_height() * ofmap_width(), filters, filter_height * filter_width * channels};
}

double SystolicLayer::ifmap_words() const {
    return covered(ifmap_height, filter_height, stride) * covered(ifmap_width, filter_width, stride) *
           channels;
}

double SystolicLayer::filter_words() const {
    return filter_height * filter_width * channels * filters;
}

SystolicLayer product_layer(std::string name, double m, double n, double k) {
    SystolicLayer layer;
    layer.name = std::move(name);
    layer.ifmap_height = m;
    layer.ifmap_width = k;
    layer.filter_width = k;
    layer.filters = n;
    return layer;
}

}  // namespace dse::model
