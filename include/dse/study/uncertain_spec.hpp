#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/node.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/exec_spec.hpp"

namespace dse::study {

/// A field whose value is uncertain.
struct UncertainField {
    enum class Distribution : std::uint8_t { normal, uniform };
    /// Whether draws replace the field's value or multiply it.
    enum class Means : std::uint8_t { value, factor };

    config::FieldInfo field;
    config::Location where;
    Distribution distribution{Distribution::normal};
    Means means{Means::value};
    double first{0.0};   ///< mean, or lower end
    double second{0.0};  ///< standard deviation, or upper end

    /// \param u  uniform in (0, 1)
    [[nodiscard]] double at(double u) const;
};

/// `uncertain` of a sweep: each point is evaluated with the same draws.
struct UncertainSpec {
    std::vector<UncertainField> fields;
    std::int64_t draws{256};
    std::vector<metrics::Objective> of;  ///< metrics that are summed up, and which side of each is bad

    /// The draws as a Latin hypercube, so that the draws of each field cover its distribution evenly.
    /// \return shape [draw][field], uniform in (0, 1)
    [[nodiscard]] std::vector<std::vector<double>> places(std::uint64_t seed) const;
};

/// Suffixes of the columns that summarize a metric over draws: "_mean", "_deviation", "_p10", "_p50", "_p90",
/// "_worst_decile".
const std::vector<std::string>& statistic_suffixes();

/// The metric of a statistic ("iteration_time_p90"); the name itself if it is not a statistic.
std::string metric_of_statistic(const std::string& name);

/// The columns that a sweep has for its draws: `feasible_share`, and the statistics of each metric.
std::vector<space::AddedMetric> statistic_columns(const UncertainSpec& spec);

/// Reads `uncertain`. All errors go to the diagnostics.
UncertainSpec read_uncertain(const config::Node& node, const config::FieldIndex& fields,
                             config::Diagnostics& diagnostics);

}  // namespace dse::study
