#include "dse/results/table.hpp"

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::results {
namespace {

template <class Columns>
std::size_t index_of(const Columns& columns, std::string_view name, std::string_view what) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].name == name) return i;
        known.push_back(columns[i].name);
    }
    throw InputError(fmt::format("the results have no {} '{}'{}", what, name, suggestion(name, known)));
}

}  // namespace

void Table::clear() {
    for (auto& column : points) column.clear();
    for (auto& column : metrics) column.clear();
    point_id.clear();
    status.clear();
    reason.clear();
    wall_seconds.clear();
    rank.clear();
    host.clear();
}

void Table::append(const Table& from, std::size_t row) {
    for (std::size_t c = 0; c < points.size(); ++c) points[c].push_back(from.points[c][row]);
    for (std::size_t c = 0; c < metrics.size(); ++c) metrics[c].push_back(from.metrics[c][row]);
    point_id.push_back(from.point_id[row]);
    status.push_back(from.status[row]);
    reason.push_back(from.reason[row]);
    wall_seconds.push_back(from.wall_seconds[row]);
    rank.push_back(from.rank[row]);
    host.push_back(from.host[row]);
}

std::span<const double> Table::metric(std::string_view name) const {
    return metrics[index_of(schema.metrics, name, "metric")];
}

std::span<const double> Table::point_value(std::string_view name) const {
    return points[index_of(schema.points, name, "axis or derived value")];
}

Table empty_table(const ResultSchema& schema) {
    Table table;
    table.schema = schema;
    table.points.resize(schema.points.size());
    table.metrics.resize(schema.metrics.size());
    return table;
}

Table without_rows(const Table& table) {
    Table empty = empty_table(table.schema);
    empty.provenance = table.provenance;
    empty.unsealed = table.unsealed;
    return empty;
}

metrics::CostTable costs(const Table& table, std::span<const metrics::Objective> objectives) {
    return costs(table, objectives, table.status);
}

metrics::CostTable costs(const Table& table, std::span<const metrics::Objective> objectives,
                         std::span<const space::Status> status) {
    DSE_EXPECT(status.size() == table.rows());
    std::vector<std::span<const double>> columns;
    for (const metrics::Objective& objective : objectives) columns.push_back(table.metric(objective.metric));
    metrics::CostTable result{objectives.size()};
    std::vector<double> row(objectives.size());
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const bool answered = status[i] == space::Status::ok;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const double sign = objectives[c].direction == metrics::Direction::minimize ? 1.0 : -1.0;
            row[c] = answered ? sign * columns[c][i] : metrics::not_a_number;
        }
        result.add(row);
    }
    return result;
}

}  // namespace dse::results
