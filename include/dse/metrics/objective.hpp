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

/// A metric that a sweep wants small or large.
struct Objective {
    std::string metric;
    Direction direction{Direction::minimize};

    friend bool operator==(const Objective&, const Objective&) = default;
};

/// From "iteration_time: minimize"; a bare metric name is minimised.
/// \param also  metrics beside those that dse computes
/// \throws InputError for an unknown metric or direction, naming the nearest known one
Objective parse_objective(std::string_view text, std::span<const std::string> also = {});

/// From "iteration_time, mfu: maximize".
/// \throws InputError as parse_objective; also for an empty list and for a metric named twice
std::vector<Objective> parse_objectives(std::string_view text, std::span<const std::string> also = {});

/// "iteration_time: minimize", which parse_objective reads back.
std::string to_string(const Objective& objective);

/// The values to be minimised: a metric that is to be large has its sign turned.
/// \return as many values as objectives; NaN where the metric has no answer
std::vector<double> costs(const Metrics& metrics, std::span<const Objective> objectives);

}  // namespace dse::metrics
