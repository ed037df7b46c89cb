#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The same point on a machine that has more of one thing.
struct WhatIf {
    double factor{1};   ///< of a rate; a time is divided by it
    double time{0};     ///< s, of an iteration; NaN where a model refuses
    std::string why{};  ///< it refuses
};

/// What one number of the machine is worth.
struct Sensitivity {
    config::FieldInfo field;  ///< path as a sweep writes it: "system.cluster.device.memory.bandwidth"
    double value{0};          ///< SI
    bool is_time{false};      ///< a latency or launch time, of which less is better; else a rate
    /// Share of the iteration time that 1 % more of it (of a time: less) saves, by 1 %: 1 where it alone
    /// decides, 0 where it does not matter.
    double elasticity{0};
    /// At 1.01, 1.1, 2 and without limit (10^6); the first alone where the elasticity is 0.
    std::vector<WhatIf> what_if;
};

/// Which numbers of the machine a point's time depends on: every rate and every time among the fields of the
/// system, each changed by itself, the point evaluated again as it is evaluated in a sweep. Memory is no
/// limit here. \param time  of the scenario's iteration, s \return most valuable first; those without effect
/// last
std::vector<Sensitivity> sensitivities(const study::Scenario& scenario, double time,
                                       std::unique_ptr<frontend::Frontend> frontend);

}  // namespace dse::eval
