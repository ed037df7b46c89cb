#include "dse/study/sweep_schema.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/quantity.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/space/identity.hpp"

namespace dse::study {
namespace {

using config::FieldType;
using results::Column;
using results::ColumnKind;
using results::ColumnRole;

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

/// A column has the name that the sweep uses; where a metric is called so, the whole path of the field that
/// it sets.
std::string column_name(const std::string& name, const config::FieldInfo& info) {
    const auto metrics = metrics::metric_fields();
    const bool is_metric =
        std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
    if (!is_metric) return name;
    if (info.path.empty())
        throw InputError(
            fmt::format("'{}' is the name of a metric: call the axis or derived value otherwise", name));
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
    if (!axis.labels.empty()) {
        column.kind = ColumnKind::label;
        column.unit.clear();
        column.labels = axis.labels;
    }
    return column;
}

Column column_of(const space::Derived& derived) {
    Column column = column_of(derived.name, derived.info, ColumnRole::derived);
    if (column.kind == ColumnKind::label) column.labels = derived.info.choices;
    return column;
}

}  // namespace

results::ResultSchema result_schema(const Sweep& sweep, std::uint64_t ids) {
    results::ResultSchema schema;
    schema.sweep.name = sweep.name;
    schema.sweep.yaml = sweep.yaml;
    schema.sweep.facts = sweep.facts;
    schema.sweep.digest = space::digest(sweep.facts);
    schema.sweep.seed = static_cast<std::uint64_t>(sweep.space->search().seed);
    schema.sweep.points = ids;
    schema.sweep.objectives = sweep.objectives;
    for (const space::Axis& axis : sweep.space->axes()) schema.points.push_back(column_of(axis));
    for (const space::Derived& derived : sweep.space->derived()) schema.points.push_back(column_of(derived));
    return schema;
}

}  // namespace dse::study
