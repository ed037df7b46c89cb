#include "dse/results/result_schema.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"

namespace dse::results {
namespace {

void validate_labels(const Column& column) {
    const std::set<std::string> distinct{column.labels.begin(), column.labels.end()};
    if (column.labels.empty() || distinct.size() != column.labels.size() || distinct.contains("")) {
        throw InputError(fmt::format("column '{}' needs labels that are named and all different, has: {}",
                                     column.name, fmt::join(column.labels, ", ")));
    }
}

template <class Columns>
void validate_names(const Columns& columns) {
    std::set<std::string> seen;
    for (const auto& column : columns) {
        const bool storable =
            !column.name.empty() && column.name != "." && column.name.find('/') == std::string::npos;
        if (!storable)
            throw InputError(fmt::format("'{}' cannot name a column of a results file", column.name));
        if (!seen.insert(column.name).second)
            throw InputError(fmt::format("column '{}' appears twice", column.name));
    }
}

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Whether a fact is the field that an axis sets, so that it merely repeats the axis' first value.
bool is_of_an_axis(const std::string& name, const Facts& facts) {
    constexpr std::string_view axes = "axes.";
    return std::any_of(facts.begin(), facts.end(), [&](const auto& fact) {
        if (!fact.first.starts_with(axes)) return false;
        const std::size_t dot = fact.first.find('.', axes.size());  // after the axis' number
        if (dot == std::string::npos) return false;
        const std::string axis = fact.first.substr(dot + 1);
        return name == axis || name.ends_with("." + axis);
    });
}

void compare_facts(const Facts& found, const Facts& wanted, std::vector<std::string>& lines) {
    const std::map<std::string, std::string> before{found.begin(), found.end()};
    const std::map<std::string, std::string> now{wanted.begin(), wanted.end()};
    for (const auto& [name, value] : wanted) {
        const auto old = before.find(name);
        if (old == before.end()) {
            lines.push_back(fmt::format("{}: not there before, now {}", name, value));
        } else if (old->second != value && (name.starts_with("axes.") || !is_of_an_axis(name, wanted))) {
            lines.push_back(fmt::format("{}: was {}, now {}", name, old->second, value));
        }
    }
    for (const auto& [name, value] : found) {
        if (!now.contains(name)) lines.push_back(fmt::format("{}: was {}, now gone", name, value));
    }
}

template <class Columns>
std::vector<std::string> names_of(const Columns& columns) {
    std::vector<std::string> names;
    for (const auto& column : columns) names.push_back(column.name);
    return names;
}

template <class Columns>
void compare_columns(std::string_view what, const Columns& found, const Columns& wanted,
                     std::vector<std::string>& lines) {
    if (found == wanted) return;
    const auto before = names_of(found);
    const auto now = names_of(wanted);
    if (before != now) {
        lines.push_back(
            fmt::format("{}: were {}, now {}", what, fmt::join(before, " "), fmt::join(now, " ")));
        return;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!(found[i] == wanted[i])) {
            lines.push_back(fmt::format("{} {}: another type, unit or list of labels", what, now[i]));
        }
    }
}

/// -1 if it is not a version.
int major(std::string_view version) {
    int number = 0;
    const char* const end = version.data() + version.size();
    const auto [rest, error] = std::from_chars(version.data(), end, number);
    return error == std::errc{} && rest != end && *rest == '.' ? number : -1;
}

}  // namespace

bool is_current(std::string_view version) {
    return major(version) == major(schema_version);
}

bool is_readable(std::string_view version) {
    const int found = major(version);
    return found >= 0 && (is_current(version) || found == major(schema_version) - 1);
}

std::string readable_versions() {
    const int current = major(schema_version);
    return fmt::format("version {}.x and {}.x", current, current - 1);
}

std::vector<MetricColumn> metric_columns() {
    std::vector<MetricColumn> columns;
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        columns.push_back({std::string{field.name}, std::string{field.unit}});
    }
    return columns;
}

void validate(const ResultSchema& schema) {
    validate_names(schema.points);
    validate_names(schema.metrics);
    for (const Column& column : schema.points) {
        if (column.kind == ColumnKind::label) validate_labels(column);
    }
}

std::vector<std::string> differences(const ResultSchema& found, const ResultSchema& wanted) {
    std::vector<std::string> lines;
    if (found.sweep.digest != wanted.sweep.digest) {
        compare_facts(found.sweep.facts, wanted.sweep.facts, lines);
    }
    compare_columns("axes and derived values", found.points, wanted.points, lines);
    compare_columns("metrics", found.metrics, wanted.metrics, lines);
    if (found.sweep.points != wanted.sweep.points) {
        lines.push_back(
            fmt::format("points of the space: were {}, now {}", found.sweep.points, wanted.sweep.points));
    }
    if (lines.empty() && found.sweep.digest != wanted.sweep.digest) {
        lines.push_back(fmt::format("digest of the sweep: was {}, now {}", to_string(found.sweep.digest),
                                    to_string(wanted.sweep.digest)));
    }
    return lines;
}

}  // namespace dse::results
