#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Change of a metric per unit of a machine parameter, for an increase and for a decrease. The two differ if
/// the metric has a kink.
struct ShadowPrice {
    config::FieldInfo field;
    double value{0.0};      ///< current value, SI units
    double unit{1.0};       ///< unit of the price, SI units: 1 GB/s, 1 GB, 1 W, 1 TFLOP/s
    std::string unit_name;  ///< "GB/s"
    std::string metric;
    double more{0.0};   ///< change of the metric per additional unit; NaN if that machine is not valid
    double less{0.0};   ///< slope for a decrease: one unit less changes the metric by −less
    double step{1e-3};  ///< relative change of the parameter that the slopes were taken over

    /// Whether the two differ by more than they would on a smooth curve: 1 % over a small step.
    [[nodiscard]] bool has_kink() const;
};

/// Shadow prices at one point of all machine parameters that are measured in bytes, bytes or FLOP per second,
/// or watts: one-sided differences over 0.1 % of the value, in mode serving over 10 %, where smaller changes
/// of step times mostly reshuffle the requests; a highest rate is then searched for within 0.2 %. Prices that
/// are 0 on both sides are left out.
/// \param scenario  a scenario that fits into memory
/// \param wanted  names of metrics
std::vector<ShadowPrice> shadow_prices(const study::Scenario& scenario,
                                       const std::vector<std::string>& wanted,
                                       std::unique_ptr<frontend::Frontend> frontend);

}  // namespace dse::eval
