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

constexpr std::string_view axes_prefix = "axes.";

/// The name of the axis that a fact `axes.INDEX.NAME` states; empty for other facts.
std::string_view axis_of(std::string_view fact) {
    if (!fact.starts_with(axes_prefix)) return {};
    const std::size_t dot = fact.find('.', axes_prefix.size());
    return dot == std::string_view::npos ? std::string_view{} : fact.substr(dot + 1);
}

/// Whether a fact is the field that an axis sets, so that it merely repeats the axis' first value.
bool is_of_an_axis(const std::string& name, const Facts& facts) {
    return std::any_of(facts.begin(), facts.end(), [&](const auto& fact) {
        const std::string_view axis = axis_of(fact.first);
        return !axis.empty() && (name == axis || name.ends_with("." + std::string(axis)));
    });
}

/// Values of an axis as a fact lists them, "25000000000, 50000000000", in the unit of its column. Words stay:
/// names of labels, and the text around the ends of a range.
std::string in_written_unit(const Column& column, const std::string& values) {
    if (column.kind != ColumnKind::real) return values;
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t end = std::min(values.find(' ', begin), values.size());
        std::string word = values.substr(begin, end - begin);
        const bool goes_on = word.ends_with(',');
        if (goes_on) word.pop_back();
        double value = 0.0;
        const char* const last = word.data() + word.size();
        const auto [rest, error] = std::from_chars(word.data(), last, value);
        if (error == std::errc{} && rest == last) word = column_text(column, value);
        words.push_back(goes_on ? word + ',' : word);
        begin = end + 1;
    }
    return fmt::format("{}", fmt::join(words, " "));
}

/// A fact for display: an axis without its position.
std::string shown_name(const std::string& fact) {
    const std::string_view axis = axis_of(fact);
    return axis.empty() ? fact : fmt::format("{}{}", axes_prefix, axis);
}

std::string shown_value(const ResultSchema& schema, std::string_view name, const std::string& value) {
    if (!name.starts_with(axes_prefix)) return value;
    const auto column = std::ranges::find(schema.points, name.substr(axes_prefix.size()), &Column::name);
    return column == schema.points.end() ? value : in_written_unit(*column, value);
}

void compare_facts(const ResultSchema& found, const ResultSchema& wanted, std::vector<std::string>& lines) {
    std::map<std::string, std::string> before;
    std::map<std::string, std::string> now;
    for (const auto& [name, value] : found.sweep.facts) before.emplace(shown_name(name), value);
    for (const auto& [name, value] : wanted.sweep.facts) now.emplace(shown_name(name), value);
    for (const auto& fact : wanted.sweep.facts) {
        const std::string name = shown_name(fact.first);
        const std::string value = shown_value(wanted, name, fact.second);
        const auto old = before.find(name);
        if (old == before.end()) {
            lines.push_back(fmt::format("{}: not there before, now {}", name, value));
        } else if (old->second != fact.second &&
                   (name.starts_with(axes_prefix) || !is_of_an_axis(name, wanted.sweep.facts))) {
            const std::string was = shown_value(found, name, old->second);
            // What differs only in digits that are not shown is stated in full.
            lines.push_back(was == value ? fmt::format("{}: was {}, now {}", name, old->second, fact.second)
                                         : fmt::format("{}: was {}, now {}", name, was, value));
        }
    }
    for (const auto& fact : found.sweep.facts) {
        const std::string name = shown_name(fact.first);
        if (!now.contains(name))
            lines.push_back(fmt::format("{}: was {}, now gone", name, shown_value(found, name, fact.second)));
    }
}

template <class Columns>
std::vector<std::string> names_of(const Columns& columns) {
    std::vector<std::string> names;
    names.reserve(columns.size());
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

std::string title(const SweepIdentity& sweep) {
    if (sweep.settings.empty()) return sweep.name;
    return fmt::format("{} (--set {})", sweep.name, fmt::join(sweep.settings, " --set "));
}

std::vector<std::string> differences(const ResultSchema& found, const ResultSchema& wanted) {
    std::vector<std::string> lines;
    if (found.sweep.digest != wanted.sweep.digest) {
        compare_facts(found, wanted, lines);
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
