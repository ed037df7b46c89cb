#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The same point on a machine with one parameter improved.
struct WhatIf {
    double factor{1};   ///< by which a rate is multiplied, or a time divided
    double time{0};     ///< iteration time in s; NaN if a model rejects the machine
    std::string why{};  ///< why a model rejects it
};

/// Effect of one parameter of the machine on the iteration time.
struct Sensitivity {
    config::FieldInfo field;  ///< path as in a sweep: "system.cluster.device.memory.bandwidth"
    double value{0};          ///< in SI units
    bool is_time{false};      ///< whether it is a latency or launch time (less is better) rather than a rate
    /// Relative saving of iteration time if the parameter improves by 1 %, divided by 1 %: 1 if it alone
    /// determines the time, 0 if it has no effect.
    double elasticity{0};
    /// For factors 1.01, 1.1, 2 and 10^6 (practically no limit); only the first if the elasticity is 0.
    std::vector<WhatIf> what_if;
};

/// Sensitivity of a point's iteration time to the parameters of the machine: each rate and each time among
/// the fields of the system is changed separately, and the point is evaluated again as in a sweep. Memory
/// capacity is not checked.
/// \param time  iteration time of the scenario, s
/// \return by decreasing elasticity
std::vector<Sensitivity> sensitivities(const study::Scenario& scenario, double time,
                                       std::unique_ptr<frontend::Frontend> frontend);

}  // namespace dse::eval
