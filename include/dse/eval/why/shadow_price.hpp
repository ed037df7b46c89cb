#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// What a metric gains or loses with one unit more and with one unit less of something: differ where the
/// metric has a kink.
struct ShadowPrice {
    config::FieldInfo field;
    double value{0.0};      ///< as it is, SI units
    double unit{1.0};       ///< of which one is priced, SI units: a GB/s, a GB, a W, a TFLOP/s
    std::string unit_name;  ///< "GB/s"
    std::string metric;
    double more{0.0};  ///< change of the metric a unit, where there is more; NaN where that is no machine
    double less{0.0};  ///< the same where there is less: the metric grows by −less with a unit less

    /// Whether both differ by more than a hundredth.
    [[nodiscard]] bool has_kink() const;
};

/// The prices of every number of the machine that is counted in bytes, in bytes or FLOP a second, or in
/// watts, at one point: one-sided differences over a thousandth of the number. Those at which no metric
/// changes are left out. \param scenario  one that fits \param wanted    names of metrics
std::vector<ShadowPrice> shadow_prices(const study::Scenario& scenario,
                                       const std::vector<std::string>& wanted,
                                       std::unique_ptr<frontend::Frontend> frontend);

}  // namespace dse::eval
