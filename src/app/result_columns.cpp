#include "app/result_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/output_width.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

using results::ColumnKind;

/// The last two parts of a dotted path, which are specific enough.
std::string heading_of(const std::string& name) {
    const std::size_t last = name.rfind('.');
    if (last == std::string::npos || last == 0) return name;
    const std::size_t before = name.rfind('.', last - 1);
    return before == std::string::npos ? name : name.substr(before + 1);
}

bool has_value(const std::vector<double>& values, std::span<const std::size_t> rows) {
    return std::any_of(rows.begin(), rows.end(), [&](std::size_t row) { return !std::isnan(values[row]); });
}

std::vector<std::size_t> shown_metrics(const results::Table& table, std::span<const std::size_t> rows,
                                       std::span<const metrics::Objective> objectives,
                                       const std::vector<std::string>& more) {
    std::vector<std::size_t> shown;
    const auto add = [&](std::string_view name) {
        const std::optional<std::size_t> index = metric_index(table, name);
        if (index && std::find(shown.begin(), shown.end(), *index) == shown.end()) shown.push_back(*index);
    };
    for (const metrics::Objective& objective : objectives) {
        add(objective.metric);
        if (objective.metric != "iteration_time") continue;
        const std::optional<std::size_t> low = metric_index(table, "iteration_time_low");
        if (!low || !has_value(table.metrics[*low], rows)) continue;
        add("iteration_time_low");
        add("iteration_time_high");
    }
    const std::size_t wanted = shown.size();
    for (const std::string& name : more) add(name);
    // Additional metrics are omitted if no row has a value, for example if a program answers the points.
    const auto is_empty = [&](std::size_t metric) { return !has_value(table.metrics[metric], rows); };
    shown.erase(std::remove_if(shown.begin() + static_cast<std::ptrdiff_t>(wanted), shown.end(), is_empty),
                shown.end());
    return shown;
}

/// Varied axes, divided into those in which given rows agree and those in which they differ.
struct SplitAxes {
    std::vector<std::size_t> common;
    std::vector<std::size_t> different;
};

SplitAxes split_axes(const results::Table& table, std::span<const std::size_t> rows,
                     const std::vector<std::size_t>& varied) {
    SplitAxes axes;
    for (const std::size_t axis : varied) {
        const std::vector<double>& values = table.points[axis];
        const bool same = rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [&](std::size_t row) {
                              return values[row] == values[rows.front()];
                          });
        (same ? axes.common : axes.different).push_back(axis);
    }
    return axes;
}

std::string common_text(const results::Table& table, std::span<const std::size_t> rows,
                        const std::vector<std::size_t>& common) {
    if (common.empty()) return {};
    std::vector<std::string> values;
    for (const std::size_t axis : common) {
        const results::Column& column = table.schema.points[axis];
        values.push_back(fmt::format("{}={}", heading_of(column.name),
                                     column_text(column, table.points[axis][rows.front()])));
    }
    return wrapped("all of them:", values, output_width());
}

/// Columns to show, as indices into schema.metrics and schema.points.
struct ShownColumns {
    std::vector<std::size_t> metrics;
    std::vector<std::size_t> axes;
};

std::string table_text(const results::Table& table, std::span<const std::size_t> rows,
                       const std::vector<std::string>& labels, const ShownColumns& shown, std::size_t width) {
    TextTable text;
    if (!labels.empty()) text.add_column("", TextTable::Align::left);
    for (const std::size_t m : shown.metrics) text.add_column(table.schema.metrics[m].name);
    for (const std::size_t a : shown.axes) text.add_column(heading_of(table.schema.points[a].name));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<std::string> cells;
        if (!labels.empty()) cells.push_back(labels[i]);
        for (const std::size_t m : shown.metrics)
            cells.push_back(metric_text(table.schema.metrics[m], table.metrics[m][rows[i]]));
        for (const std::size_t a : shown.axes)
            cells.push_back(column_text(table.schema.points[a], table.points[a][rows[i]]));
        text.add_row(std::move(cells));
    }
    return text.fitted_text(2, width);
}

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        widest = std::max(widest, display_width(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return widest;
}

/// Leaves out one column: the last metric that is not an objective or, if there is none, the last axis.
/// \return its name; nothing if only objectives and one axis are left
std::optional<std::string> leave_out_one(const results::Table& table,
                                         std::span<const metrics::Objective> objectives,
                                         ShownColumns& shown) {
    const auto is_extra = [&](std::size_t metric) {
        return std::none_of(objectives.begin(), objectives.end(), [&](const metrics::Objective& objective) {
            return objective.metric == table.schema.metrics[metric].name;
        });
    };
    const auto extra = std::find_if(shown.metrics.rbegin(), shown.metrics.rend(), is_extra);
    if (extra != shown.metrics.rend()) {
        const std::string name = table.schema.metrics[*extra].name;
        shown.metrics.erase(std::next(extra).base());
        return name;
    }
    if (shown.axes.size() <= 1) return std::nullopt;
    const std::string name = heading_of(table.schema.points[shown.axes.back()].name);
    shown.axes.pop_back();
    return name;
}

/// The table without the columns that do not fit, and a note that names these.
std::string fitting_text(const results::Table& table, std::span<const std::size_t> rows,
                         const std::vector<std::string>& labels,
                         std::span<const metrics::Objective> objectives, ShownColumns shown,
                         std::size_t width) {
    std::vector<std::string> left_out;
    while (widest_line(table_text(table, rows, labels, shown, any_width)) > width) {
        const auto name = leave_out_one(table, objectives, shown);
        if (!name) break;
        left_out.push_back(*name);
    }
    std::string text = table_text(table, rows, labels, shown, width);
    if (left_out.empty()) return text;
    for (std::size_t i = 0; i + 1 < left_out.size(); ++i) left_out[i] += ',';
    return text + wrapped("left out for lack of width (COLUMNS=200 shows all):", left_out, width);
}

}  // namespace

std::optional<std::size_t> metric_index(const results::Table& table, std::string_view name) {
    const auto& columns = table.schema.metrics;
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
    if (found == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
}

Json column_json(const results::Column& column, double value) {
    if (std::isnan(value)) return nullptr;
    switch (column.kind) {
        case ColumnKind::integer:
            return static_cast<std::int64_t>(value);
        case ColumnKind::flag:
            return value != 0.0;
        case ColumnKind::label:
            return results::to_text(column, value);
        case ColumnKind::real:
            break;
    }
    return value;
}

std::string metric_text(const results::MetricColumn& column, double value) {
    // Numbers without a unit are shares, except for these.
    constexpr std::array<std::string_view, 6> plain{"preemptions",   "requests_retried", "requests_lost",
                                                    "serving_steps", "requests_refused", "slo_worst"};
    // Of pools and of classes of requests as well.
    constexpr std::array<std::string_view, 4> endings{"queue_mean", "queue_max", "_requests", "_slo_worst"};
    const bool is_plain = std::ranges::find(plain, column.name) != plain.end() ||
                          std::ranges::any_of(endings, [&](std::string_view ending) {
                              return std::string_view{column.name}.ends_with(ending);
                          });
    return human_value(value, is_plain ? "" : std::string_view{column.unit});
}

VariedAxes::VariedAxes(const results::Table& columns) {
    for (std::size_t c = 0; c < columns.schema.points.size(); ++c) {
        if (columns.schema.points[c].role == results::ColumnRole::axis) axes_.push_back({c, std::nullopt});
    }
}

void VariedAxes::add(const results::Table& block) {
    if (block.rows() == 0) return;
    for (Axis& axis : axes_) {
        const std::vector<double>& values = block.points[axis.column];
        if (!axis.first) axis.first = values.front();
        axis.varies = axis.varies || std::any_of(values.begin(), values.end(),
                                                 [&](double value) { return value != *axis.first; });
    }
}

std::vector<std::size_t> VariedAxes::axes() const {
    std::vector<std::size_t> varied;
    for (const Axis& axis : axes_) {
        if (axis.varies) varied.push_back(axis.column);
    }
    return varied;
}

std::vector<std::size_t> first_rows(const results::Table& table, std::size_t most) {
    std::vector<std::size_t> rows(std::min(table.rows(), most));
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

std::vector<std::string> usual_metrics(const results::Table& columns) {
    const auto& facts = columns.schema.sweep.facts;
    const std::pair<std::string, std::string> serves{"workload.mode", "serving"};
    if (std::find(facts.begin(), facts.end(), serves) != facts.end())
        return {"ttft_p99", "tpot_p99", "slo_attainment", "output_tokens_per_second_per_device"};
    return {"mfu", "memory_peak"};
}

std::string rows_text(const results::Table& table, std::span<const std::size_t> rows,
                      std::span<const metrics::Objective> objectives, const std::vector<std::size_t>& varied,
                      const std::vector<std::string>& labels, const std::vector<std::string>& more) {
    const std::vector<std::size_t> metrics = shown_metrics(table, rows, objectives, more);
    const auto [common, axes] = split_axes(table, rows, varied);
    return common_text(table, rows, common) +
           fitting_text(table, rows, labels, objectives, {metrics, axes}, output_width());
}

}  // namespace dse::app
