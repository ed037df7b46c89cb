#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/metrics/metrics.hpp"

namespace dse::eval {

/// Evaluates a scenario with individual fields changed.
class MachineBench {
  public:
    MachineBench(const study::Scenario& scenario, std::unique_ptr<frontend::Frontend> frontend);

    [[nodiscard]] const std::vector<config::FieldRef>& fields() const { return fields_.fields(); }

    struct Played {
        std::optional<metrics::Metrics> metrics;
        std::string why{};  ///< why there are no metrics
    };

    /// Evaluates the current scenario, whether or not it fits into memory.
    Played play();

    /// Evaluates the scenario with another value of a field, which is restored afterwards.
    Played play_with(const config::FieldRef& field, double value);

  private:
    study::Scenario scenario_;
    config::FieldIndex fields_;
    Simulator simulator_;
    double machine_{0};
};

}  // namespace dse::eval
