#include "app/convolution.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

double windows(double size, double filter, double stride, double padding) {
    return std::floor((size + 2.0 * padding - filter) / stride) + 1.0;
}

void require_fit(const char* side, double size, double filter, double padding) {
    if (filter > size + 2.0 * padding)
        throw InputError(
            fmt::format("a filter {} {} does not fit an image {} {} with {} of padding on each side", filter,
                        side, size, side, padding));
}

void require_divides(double groups, const char* what, double count) {
    if (std::fmod(count, groups) != 0.0)
        throw InputError(fmt::format("{} {} are not divisible into {} groups", count, what, groups));
}

}  // namespace

double Convolution::output_height() const {
    return windows(height, filter_height, stride, padding);
}

double Convolution::output_width() const {
    return windows(width, filter_width, stride, padding);
}

void require_valid(const Convolution& convolution) {
    require_fit("high", convolution.height, convolution.filter_height, convolution.padding);
    require_fit("wide", convolution.width, convolution.filter_width, convolution.padding);
    require_divides(convolution.groups, "channels", convolution.channels);
    require_divides(convolution.groups, "filters", convolution.filters);
}

graph::Compute work_of(const Convolution& c, graph::Precision precision) {
    require_valid(c);
    const double outputs = c.images * c.output_height() * c.output_width();
    const double window = c.filter_height * c.filter_width * c.channels / c.groups;
    graph::Compute work;
    work.op_class = graph::OpClass::gemm;
    work.precision = precision;
    work.gemm = {c.groups, outputs, c.filters / c.groups, window};
    work.model_flop = Flop{2.0 * outputs * c.filters * window};
    work.executed_flop = work.model_flop;
    const Bytes element = graph::bytes_of(precision);
    work.read = element * (c.images * c.height * c.width * c.channels + c.filters * window);
    work.written = element * (outputs * c.filters);
    return work;
}

}  // namespace dse::app
