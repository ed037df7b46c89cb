#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/metrics/metrics.hpp"

namespace dse::metrics {

enum class Direction : std::uint8_t { minimize, maximize };

std::string_view name(Direction direction);

/// A metric that a sweep minimizes or maximizes.
struct Objective {
    std::string metric;
    Direction direction{Direction::minimize};

    friend bool operator==(const Objective&, const Objective&) = default;
};

/// Parses "iteration_time: minimize"; a bare metric name is minimized.
/// \param also  metrics other than those that dse computes
/// \throws InputError for an unknown metric or direction, naming the nearest known one
Objective parse_objective(std::string_view text, std::span<const std::string> also = {});

/// Parses "iteration_time, mfu: maximize".
/// \throws InputError like parse_objective; also for an empty list and for a repeated metric
std::vector<Objective> parse_objectives(std::string_view text, std::span<const std::string> also = {});

/// "iteration_time: minimize", which parse_objective can read.
std::string to_string(const Objective& objective);

/// The values to be minimized: metrics to be maximized have their sign inverted.
/// \return one value per objective; NaN if the metric has no value
std::vector<double> costs(const Metrics& metrics, std::span<const Objective> objectives);

}  // namespace dse::metrics
