#include "dse/eval/why/shadow_price.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "machine_bench.hpp"

namespace dse::eval {
namespace {

/// Relative step: small enough for a slope, but large compared with the time quantum of 2^-40 s.
constexpr double fine_step = 1e-3;
/// In mode serving, a change of step times by a thousandth mostly changes which requests share a step, in
/// which percentiles follow no slope.
constexpr double coarse_step = 0.1;
/// Distance of the brackets of highest rates, if they are searched for: small compared with the coarse step.
constexpr double fine_bracket = 0.002;
/// Relative changes of a metric below this are rounding errors.
constexpr double rounding_noise = 1e-9;

struct Unit {
    config::Dimension dimension;
    double size;
    const char* name;
};

std::optional<Unit> unit_of(const config::FieldInfo& field) {
    static const std::array units{Unit{config::dimension_of(BytesPerSecond{}), 1e9, "GB/s"},
                                  Unit{config::dimension_of(Bytes{}), 1e9, "GB"},
                                  Unit{config::dimension_of(Watts{}), 1.0, "W"},
                                  Unit{config::dimension_of(FlopPerSecond{}), 1e12, "TFLOP/s"}};
    if (field.type != config::FieldType::quantity || !field.path.starts_with("system.")) return std::nullopt;
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&](const Unit& unit) { return unit.dimension == field.dimension; });
    if (found == units.end()) return std::nullopt;
    return *found;
}

/// Change of a metric per unit; 0 if it is not significant.
double slope(double from, double to, double units) {
    if (std::abs(to - from) <= rounding_noise * std::abs(from)) return 0.0;
    return (to - from) / units;
}

}  // namespace

bool ShadowPrice::has_kink() const {
    // Slopes over a large step differ on a smooth curve, too: those of a time that is inverse to a rate by 2
    // * step.
    const double smooth = std::max(0.01, 2.1 * step);
    const double larger = std::max(std::abs(more), std::abs(less));
    return !(std::abs(more - less) <= smooth * larger);
}

std::vector<ShadowPrice> shadow_prices(const study::Scenario& scenario,
                                       const std::vector<std::string>& wanted,
                                       std::unique_ptr<frontend::Frontend> frontend) {
    const bool serves = scenario.workload.mode == graph::Mode::serving;
    const double step = serves ? coarse_step : fine_step;
    study::Scenario priced = scenario;
    double& bracket = priced.workload.levels.rate_within;
    if (serves && bracket > 0.0) bracket = std::min(bracket, fine_bracket);
    MachineBench bench{priced, std::move(frontend)};
    std::vector<ShadowPrice> prices;
    const auto here = bench.play().metrics;
    if (!here) return prices;
    for (const config::FieldRef& field : bench.fields()) {
        const std::optional<Unit> unit = unit_of(field.info());
        const double value = unit ? field.read() : 0.0;
        if (!(value > 0.0) || !std::isfinite(value)) continue;
        const double units = step * value / unit->size;
        const auto above = bench.play_with(field, value * (1.0 + step)).metrics;
        const auto below = bench.play_with(field, value * (1.0 - step)).metrics;
        for (const std::string& name : wanted) {
            const auto member = metrics::metric_field(name).member;
            const auto at = [&](const std::optional<metrics::Metrics>& metrics) {
                return metrics ? (*metrics).*member : metrics::not_a_number;
            };
            ShadowPrice price{field.info(),
                              value,
                              unit->size,
                              unit->name,
                              name,
                              slope(at(here), at(above), units),
                              slope(at(here), at(below), -units),
                              step};
            if (price.more != 0.0 || price.less != 0.0) prices.push_back(std::move(price));
        }
    }
    return prices;
}

}  // namespace dse::eval
