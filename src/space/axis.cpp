#include "dse/space/axis.hpp"

#include <cmath>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/config/written_unit.hpp"

namespace dse::space {

AxisValues AxisValues::list(std::vector<double> values) {
    AxisValues result;
    result.count_ = values.size();
    result.listed_ = std::move(values);
    return result;
}

AxisValues AxisValues::sequence(double first, double step, std::uint64_t count) {
    AxisValues result;
    result.first_ = first;
    result.step_ = step;
    result.count_ = count;
    return result;
}

double Continuum::at(double u) const {
    DSE_EXPECT(u >= 0.0 && u <= 1.0);
    const double value =
        scale == Scale::linear ? low + u * (high - low) : low * std::exp(u * std::log(high / low));
    return std::fmin(std::fmax(value, low), high);  // guards against rounding
}

std::string Axis::format(double value) const {
    if (value >= 0.0 && value < static_cast<double>(labels.size()))
        return labels[static_cast<std::size_t>(value)];
    return unit.empty() ? config::format_value(value, info)
                        : config::format_in_unit(value, unit, info.dimension);
}

}  // namespace dse::space
