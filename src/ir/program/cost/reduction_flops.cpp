#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir::flops {
namespace {

double window_places(const Counted& of) {
    const auto* window = of.attribute<Window>();
    double places = 1;
    if (window == nullptr) return places;
    for (const WindowDimension& dimension : window->dimensions) places *= static_cast<double>(dimension.size);
    return places;
}

/// Size of the dimension that the window sums completely at each position: a window over all of its positions
/// with padding of one less on both sides. 0 if there is none.
double whole_dimension(const Counted& of) {
    const auto* window = of.attribute<Window>();
    if (window == nullptr || of.result().kind != Type::Kind::array) return 0;
    const Sizes& sizes = of.result().sizes;
    std::int64_t wide = 0;
    std::int64_t padded = 0;
    double span = 0;
    for (std::size_t d = 0; d < window->dimensions.size() && d < sizes.size(); ++d) {
        const WindowDimension& dimension = window->dimensions[d];
        wide += dimension.size != 1 ? 1 : 0;
        padded += dimension.pad_low != 0 || dimension.pad_high != 0 ? 1 : 0;
        if (dimension.size != 1 && dimension.pad_low > 0 && dimension.pad_low == dimension.pad_high &&
            dimension.size == 2 * dimension.pad_low + 1 && dimension.pad_low == sizes[d] - 1)
            span = static_cast<double>(sizes[d]);
    }
    return wide == 1 && padded == 1 ? span : 0;
}

}  // namespace

Cost reduce(const Counted& of) {
    return of.function(0, std::max(0.0, of.elements(0) - of.first_result()));
}

Cost map(const Counted& of) {
    return of.function(0, of.results());
}

Cost scatter(const Counted& of) {
    return of.function(0, of.elements(2));
}

Cost reduce_window(const Counted& of) {
    const double span = whole_dimension(of);
    const double reductions = span > 0 ? std::floor(of.first_result() / span) + span - 1
                                       : of.first_result() * (window_places(of) - 1);
    return of.function(0, reductions);
}

Cost select_and_scatter(const Counted& of) {
    return of.function(0, of.elements(1) * (window_places(of) - 1)).plus(of.function(1, of.elements(1)));
}

}  // namespace dse::ir::flops
