#include "dse/results/row_schema.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/quantity.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/space/identity.hpp"

namespace dse::results {
namespace {

using config::FieldType;

ColumnKind kind_of(const config::FieldInfo& info) {
    switch (info.type) {
        case FieldType::integer:
            return ColumnKind::integer;
        case FieldType::flag:
            return ColumnKind::flag;
        case FieldType::choice:
        case FieldType::text:
            return ColumnKind::label;
        case FieldType::number:
        case FieldType::quantity:
            break;
    }
    return ColumnKind::real;
}

/// A column has the name that the sweep uses or, if that is the name of a metric, the full path of the field
/// that it sets.
std::string column_name(const std::string& name, const config::FieldInfo& info) {
    const auto metrics = metrics::metric_fields();
    const bool is_metric =
        std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
    if (!is_metric) return name;
    if (info.path.empty())
        throw InputError(fmt::format("'{}' is the name of a metric: rename the axis or derived value", name));
    return info.path;
}

Column column_of(const std::string& name, const config::FieldInfo& info, ColumnRole role) {
    Column column{column_name(name, info), kind_of(info), role, "", {}};
    if (column.kind == ColumnKind::real) column.unit = config::unit_of(info.dimension);
    return column;
}

/// A free axis sets no field: its values are labels, or numbers without a unit.
Column column_of(const space::Axis& axis) {
    Column column = column_of(axis.name, axis.info, ColumnRole::axis);
    column.shown_unit = axis.unit;
    if (!axis.labels.empty()) {
        column.kind = ColumnKind::label;
        column.unit.clear();
        column.labels = axis.labels;
    }
    return column;
}

Column column_of(const space::Derived& derived) {
    Column column = column_of(derived.name, derived.info, ColumnRole::derived);
    column.shown_unit = derived.unit;
    if (column.kind == ColumnKind::label) column.labels = derived.info.choices;
    return column;
}

}  // namespace

std::vector<Column> point_columns(const space::Space& space) {
    std::vector<Column> columns;
    for (const space::Axis& axis : space.axes()) columns.push_back(column_of(axis));
    for (const space::Derived& derived : space.derived()) columns.push_back(column_of(derived));
    return columns;
}

ResultSchema row_schema(const space::Space& space, std::vector<metrics::Objective> objectives) {
    ResultSchema schema;
    schema.sweep.name = space.name();
    schema.sweep.facts = space::identity(space);
    schema.sweep.digest = space::digest(schema.sweep.facts);
    schema.sweep.seed = static_cast<std::uint64_t>(space.search().seed);
    schema.sweep.objectives = std::move(objectives);
    schema.points = point_columns(space);
    for (const space::AddedMetric& metric : space.added())
        schema.metrics.push_back({metric.name, metric.unit});
    // An expression has no unit.
    for (const space::DerivedMetric& metric : space.metrics()) schema.metrics.push_back({metric.name, ""});
    return schema;
}

}  // namespace dse::results
