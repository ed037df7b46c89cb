#include "dse/eval/why/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dse/graph/serving_conflicts.hpp"
#include "machine_bench.hpp"

namespace dse::eval {
namespace {

constexpr config::Dimension time{1, 0, 0, 0, 0};
constexpr config::Dimension bytes_per_second{-1, 1, 0, 0, 0};
constexpr config::Dimension flop_per_second{-1, 0, 1, 0, 0};
constexpr double one_percent = 1.01;
/// Practically unlimited.
constexpr double without_limit = 1e6;
/// Smaller changes are rounding errors: times are quantized to 2^-40 s, about 10^-9 of a millisecond.
constexpr double noticeable = 1e-6;

bool is_of_machine(const config::FieldInfo& field) {
    if (field.type != config::FieldType::quantity || !field.path.starts_with("system.")) return false;
    return field.dimension == time || field.dimension == bytes_per_second ||
           field.dimension == flop_per_second;
}

/// What iteration times depend on: not the search for the highest rate, which takes most of a point's time.
/// Unless all clients may give up: then the time is that of a rate at which they do not.
study::Scenario without_search(study::Scenario scenario) {
    if (!graph::gives_up(scenario.workload.traffic)) scenario.workload.levels.rate_within = 0.0;
    return scenario;
}

/// The iteration time with a field improved by this factor.
WhatIf what_if(MachineBench& bench, const config::FieldRef& field, bool is_time, double factor) {
    const double value = field.read();
    MachineBench::Played played = bench.play_with(field, is_time ? value / factor : value * factor);
    const double seconds = played.metrics ? played.metrics->iteration_time : metrics::not_a_number;
    return {factor, seconds, std::move(played.why)};
}

}  // namespace

std::vector<Sensitivity> sensitivities(const study::Scenario& scenario, double iteration,
                                       std::unique_ptr<frontend::Frontend> frontend) {
    MachineBench bench{without_search(scenario), std::move(frontend)};
    std::vector<Sensitivity> result;
    for (const config::FieldRef& field : bench.fields()) {
        if (!is_of_machine(field.info()) || field.read() == 0.0) continue;
        Sensitivity one{field.info(), field.read(), field.info().dimension == time, 0.0, {}};
        one.what_if.push_back(what_if(bench, field, one.is_time, one_percent));
        const double saved = 1.0 - one.what_if.front().time / iteration;
        if (std::abs(saved) > noticeable * (one_percent - 1.0)) {
            one.elasticity = saved / (one_percent - 1.0);
            for (const double factor : {1.1, 2.0, without_limit})
                one.what_if.push_back(what_if(bench, field, one.is_time, factor));
        }
        result.push_back(std::move(one));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Sensitivity& a, const Sensitivity& b) { return a.elasticity > b.elasticity; });
    return result;
}

}  // namespace dse::eval
