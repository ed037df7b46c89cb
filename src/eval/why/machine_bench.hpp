#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/metrics/metrics.hpp"

namespace dse::eval {

/// A scenario whose fields can be changed one at a time.
class MachineBench {
  public:
    MachineBench(const study::Scenario& scenario, std::unique_ptr<frontend::Frontend> frontend);

    [[nodiscard]] const std::vector<config::FieldRef>& fields() const { return fields_.fields(); }

    struct Played {
        std::optional<metrics::Metrics> metrics;
        std::string why{};  ///< there are none
    };

    /// The scenario as it is now, whether or not it fits into memory.
    Played play();

    /// With another value of a field, which has its own again afterwards.
    Played play_with(const config::FieldRef& field, double value);

  private:
    study::Scenario scenario_;
    config::FieldIndex fields_;
    Simulator simulator_;
    double machine_{0};
};

}  // namespace dse::eval
