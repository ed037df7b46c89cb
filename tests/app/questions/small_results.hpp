#pragma once

#include <vector>

#include "dse/results/table.hpp"

namespace dse::app::test {

/// Axes tp (integer), schedule (label) and network.bandwidth (real), one row a value of `tp`; metrics are
/// iteration_time and memory_peak, to be minimised.
inline results::Table small_results(const std::vector<double>& tp, const std::vector<double>& time,
                                    const std::vector<double>& memory) {
    using results::ColumnKind;
    using results::ColumnRole;
    results::Table table;
    table.schema.sweep.name = "small";
    table.schema.sweep.facts = {{"system.devices", "8"}};
    table.schema.sweep.objectives = {{"iteration_time"}, {"memory_peak"}};
    table.schema.points = {{"tp", ColumnKind::integer, ColumnRole::axis, "", {}},
                           {"schedule", ColumnKind::label, ColumnRole::axis, "", {"gpipe", "1f1b"}},
                           {"network.bandwidth", ColumnKind::real, ColumnRole::axis, "B/s", {}}};
    table.schema.metrics = {{"iteration_time", "s"}, {"memory_peak", "B"}};
    const std::size_t rows = tp.size();
    table.points = {tp, std::vector<double>(rows, 1.0), std::vector<double>(rows, 50e9)};
    table.metrics = {time, memory};
    table.status.assign(rows, space::Status::ok);
    table.reason.resize(rows);
    table.wall_seconds.assign(rows, 0.0);
    table.rank.assign(rows, 0);
    table.host.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) table.point_id.push_back(row);
    return table;
}

}  // namespace dse::app::test
