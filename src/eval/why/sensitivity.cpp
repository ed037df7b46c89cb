#include "dse/eval/why/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dse/base/error.hpp"
#include "dse/config/field_index.hpp"
#include "dse/eval/simulator.hpp"

namespace dse::eval {
namespace {

constexpr config::Dimension time{1, 0, 0, 0, 0};
constexpr config::Dimension bytes_per_second{-1, 1, 0, 0, 0};
constexpr config::Dimension flop_per_second{-1, 0, 1, 0, 0};
constexpr double one_percent = 1.01;
/// Of what there is then enough.
constexpr double without_limit = 1e6;
/// Below it a change is rounding: times are cut to 2^-40 s, a share of 10^-9 of a millisecond.
constexpr double noticeable = 1e-6;

bool is_of_machine(const config::FieldInfo& field) {
    if (field.type != config::FieldType::quantity || !field.path.starts_with("system.")) return false;
    return field.dimension == time || field.dimension == bytes_per_second ||
           field.dimension == flop_per_second;
}

/// A scenario whose fields can be changed one at a time.
class Bench {
  public:
    Bench(const study::Scenario& scenario, std::unique_ptr<frontend::Frontend> frontend)
        : scenario_{scenario}, simulator_{std::move(frontend)} {
        fields_.add("", scenario_);
    }

    [[nodiscard]] const std::vector<config::FieldRef>& fields() const { return fields_.fields(); }

    /// The iteration time with another value of a field, which it has again afterwards.
    WhatIf with(const config::FieldRef& field, bool is_time, double factor) {
        const double value = field.read();
        field.assign(is_time ? value / factor : value * factor);
        WhatIf result{factor, std::numeric_limits<double>::quiet_NaN()};
        // No two machines are alike.
        ++machine_;
        try {
            const Evaluation& evaluation = simulator_.run(scenario_, std::span<const double>{&machine_, 1},
                                                          WhenFull::simulate, sim::Asked::For::time);
            result.time = evaluation.metrics.iteration_time;
        } catch (const ModelError& error) {
            result.why = error.what();
        } catch (const OutOfTime& error) {
            result.why = error.what();
        }
        field.assign(value);
        return result;
    }

  private:
    study::Scenario scenario_;
    config::FieldIndex fields_;
    Simulator simulator_;
    double machine_{0};
};

}  // namespace

std::vector<Sensitivity> sensitivities(const study::Scenario& scenario, double iteration,
                                       std::unique_ptr<frontend::Frontend> frontend) {
    Bench bench{scenario, std::move(frontend)};
    std::vector<Sensitivity> result;
    for (const config::FieldRef& field : bench.fields()) {
        if (!is_of_machine(field.info()) || field.read() == 0.0) continue;
        Sensitivity one{field.info(), field.read(), field.info().dimension == time, 0.0, {}};
        one.what_if.push_back(bench.with(field, one.is_time, one_percent));
        const double saved = 1.0 - one.what_if.front().time / iteration;
        if (std::abs(saved) > noticeable * (one_percent - 1.0)) {
            one.elasticity = saved / (one_percent - 1.0);
            for (const double factor : {1.1, 2.0, without_limit})
                one.what_if.push_back(bench.with(field, one.is_time, factor));
        }
        result.push_back(std::move(one));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Sensitivity& a, const Sensitivity& b) { return a.elasticity > b.elasticity; });
    return result;
}

}  // namespace dse::eval
