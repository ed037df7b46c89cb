#include "app/point_lines.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/json_output.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/source_text.hpp"
#include "dse/space/grid_index.hpp"

namespace dse::app {
namespace {

/// A value as stored on the axis; NaN if it cannot be one of its values.
double number_of(const space::Axis& axis, const Json& value) {
    const bool is_flag = axis.info.type == config::FieldType::flag;
    if (value.is_boolean()) return !is_flag ? metrics::not_a_number : value.get<bool>() ? 1.0 : 0.0;
    if (value.is_number()) return axis.labels.empty() ? value.get<double>() : metrics::not_a_number;
    if (!value.is_string()) return metrics::not_a_number;
    const auto label = std::find(axis.labels.begin(), axis.labels.end(), value.get_ref<const std::string&>());
    return label == axis.labels.end() ? metrics::not_a_number
                                      : static_cast<double>(label - axis.labels.begin());
}

[[noreturn]] void refuse(const space::Axis& axis, const Json& value) {
    throw InputError(fmt::format("axis '{}' has no value {}", axis.name, config::excerpt(value.dump())));
}

/// Finds the value of an axis by its name in the sweep, or by the name of its column.
Json::const_iterator given_to(const space::Axis& axis, const Json& values) {
    const auto given = values.find(axis.name);
    return given == values.end() && !axis.is_free() ? values.find(axis.info.path) : given;
}

double value_on(const space::Axis& axis, const Json& values) {
    const auto given = given_to(axis, values);
    const bool has_one = !axis.continuum && axis.values.count() == 1;
    if (given == values.end()) {
        if (has_one) return axis.values[0];
        throw InputError(fmt::format("the axis '{}' has no value", axis.name));
    }
    const double value = number_of(axis, *given);
    if (axis.continuum && value >= axis.continuum->low && value <= axis.continuum->high) return value;
    if (axis.continuum || !space::place_on(axis.values, value)) refuse(axis, *given);
    return value;
}

/// \return NaN if the line has none, which is allowed for an axis with a condition
double given_on(const space::Space& space, std::size_t axis, const Json& values) {
    const auto given = given_to(space.axes()[axis], values);
    const bool is_null = given != values.end() && given->is_null();
    const auto is_own = [&](const space::Condition& condition) { return condition.axis == axis; };
    if (is_null && std::any_of(space.conditions().begin(), space.conditions().end(), is_own))
        return metrics::not_a_number;
    return value_on(space.axes()[axis], values);
}

/// Checks that an axis has a value if its condition holds; otherwise sets its idle value, whatever was given.
void activate(const space::Space& space, const space::Condition& condition, std::vector<double>& values) {
    if (!condition.expression.holds(values)) {
        values[condition.axis] = condition.idle;
    } else if (std::isnan(values[condition.axis])) {
        throw InputError(fmt::format("the axis '{}' has no value, and is not idle there",
                                     space.axes()[condition.axis].name));
    }
}

Json values_of(std::string_view line) {
    Json object = Json::parse(line, nullptr, false);
    if (object.is_discarded() || !object.is_object() || !object.contains("values") ||
        !object["values"].is_object())
        throw InputError(
            fmt::format("a point is {{\"values\": {{\"tp\": 8, …}}}}, not '{}'", config::excerpt(line)));
    return std::move(object["values"]);
}

/// What a sweep does not vary would be answered as if it had been set. Derived values may be repeated.
void require_known(const space::Space& space, const Json& values) {
    for (const auto& entry : values.items()) {
        const std::string& name = entry.key();
        const auto is_it = [&](const auto& known) {
            return known.name == name || (!known.info.path.empty() && known.info.path == name);
        };
        if (std::ranges::any_of(space.axes(), is_it) || std::ranges::any_of(space.derived(), is_it)) continue;
        std::vector<std::string> names;
        for (const space::Axis& axis : space.axes()) names.push_back(axis.name);
        throw InputError(fmt::format("no axis is called '{}'{}", name, suggestion(name, names)));
    }
}

}  // namespace

std::string read_point(const space::Space& space, std::string_view line, space::Point& point) {
    const Json values = values_of(line);
    require_known(space, values);
    point.values.assign(space.width(), metrics::not_a_number);
    for (std::size_t i = 0; i < space.axes().size(); ++i) point.values[i] = given_on(space, i, values);
    for (const space::Step& step : space.steps()) {
        if (step.kind == space::Step::Kind::activate) {
            activate(space, space.conditions()[step.index], point.values);
        } else if (!space.perform(step, point.values)) {
            return fmt::format("not in the space: {}", space.describe(step));
        }
    }
    point.id = space::grid_index(space, point.values).value_or(0);
    return {};
}

AnswerColumns::AnswerColumns(const results::ResultSchema& schema, const std::vector<std::string>& names)
    : columns_{schema.metrics} {
    for (const results::MetricColumn& column : schema.metrics) names_.push_back(column.name);
    for (const std::string& name : names) {
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found == names_.end())
            throw InputError(fmt::format("no metric is called '{}'{}", name, suggestion(name, names_)));
        wanted_.push_back(static_cast<std::size_t>(found - names_.begin()));
    }
}

std::string AnswerColumns::line(const space::Record& record) const {
    Json answer{{"status", space::name(record.status)}};
    if (record.status != space::Status::ok) {
        answer["reason"] = record.reason;
        return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    std::vector<double> values;
    columns_.append(record, values);
    for (const std::size_t column : wanted_) answer[names_[column]] = values[column];
    for (std::size_t i = 0; wanted_.empty() && i < values.size(); ++i)
        if (!std::isnan(values[i])) answer[names_[i]] = values[i];
    return answer.dump();
}

}  // namespace dse::app
