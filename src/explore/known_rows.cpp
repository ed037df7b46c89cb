#include "dse/explore/known_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/results/record_columns.hpp"
#include "dse/results/results_reader.hpp"
#include "dse/space/grid_index.hpp"

namespace dse::explore {
namespace {

using Facts = std::map<std::string, std::string>;

/// The facts that determine an answer, without those that determine which points exist or which of them are
/// good.
Facts question_of(const results::ResultSchema& schema) {
    Facts facts;
    for (const auto& fact : schema.sweep.facts) {
        const auto is_under = [&](const char* part) { return fact.first.starts_with(part); };
        const bool is_of_points = is_under("axes.") || is_under("derive.") || is_under("require.") ||
                                  is_under("when.") || is_under("search.") || is_under("where.");
        if (!is_of_points) facts.insert(fact);
    }
    return facts;
}

void require_same_question(const results::ResultSchema& own, const results::ResultSchema& older,
                           const std::string& file) {
    const Facts mine = question_of(own);
    const Facts theirs = question_of(older);
    const auto [a, b] = std::mismatch(mine.begin(), mine.end(), theirs.begin(), theirs.end());
    if (a == mine.end() && b == theirs.end()) return;
    const std::string& name =
        a == mine.end() || (b != theirs.end() && b->first < a->first) ? b->first : a->first;
    const auto text = [&](const Facts& facts) {
        const auto found = facts.find(name);
        return found == facts.end() ? std::string{"nothing of it"} : "'" + found->second + "'";
    };
    throw InputError(fmt::format("search.from: '{}' answers another question: {} is {} there and {} here",
                                 file, name, text(theirs), text(mine)));
}

/// Reads rows of an older file as points of a space.
class OlderRows {
  public:
    OlderRows(const space::Space& space, const results::ResultSchema& own, const results::ResultSchema& older)
        : space_{space}, columns_{own.metrics} {
        for (std::size_t i = 0; i < space.axes().size(); ++i) axes_.push_back(axis_of(own.points[i], older));
        for (const results::MetricColumn& column : own.metrics) {
            const auto found = std::find(older.metrics.begin(), older.metrics.end(), column);
            if (found != older.metrics.end())
                metrics_.emplace_back(static_cast<std::size_t>(found - older.metrics.begin()));
            else
                metrics_.emplace_back();
        }
    }

    /// \return nothing if the row is not a point of the space, or has no answer
    std::optional<space::Record> record(const results::Table& rows, std::size_t row) {
        if (space::is_failure(rows.status[row])) return std::nullopt;
        space::Record record;
        if (!point(rows, row, record.point)) return std::nullopt;
        record.status = rows.status[row];
        record.reason = rows.reason[row];
        record.wall_seconds = rows.wall_seconds[row];
        std::vector<std::vector<double>> values;
        for (const auto& column : metrics_)
            values.push_back({column ? rows.metrics[*column][row] : metrics::not_a_number});
        columns_.assign(values, 0, record);
        return record;
    }

  private:
    struct AxisColumn {
        std::size_t column;
        std::vector<double> codes;  ///< for names: the own code of each name in the file
    };

    static AxisColumn axis_of(const results::Column& own, const results::ResultSchema& older) {
        const auto found =
            std::find_if(older.points.begin(), older.points.end(),
                         [&](const results::Column& column) { return column.name == own.name; });
        if (found == older.points.end())
            throw InputError(
                fmt::format("search.from: the rows of '{}' have no '{}'", older.sweep.name, own.name));
        AxisColumn axis{static_cast<std::size_t>(found - older.points.begin()), {}};
        for (const std::string& label : found->labels) {
            const auto same = std::find(own.labels.begin(), own.labels.end(), label);
            axis.codes.push_back(same == own.labels.end() ? metrics::not_a_number
                                                          : static_cast<double>(same - own.labels.begin()));
        }
        return axis;
    }

    bool point(const results::Table& rows, std::size_t row, space::Point& point) const {
        point.values.assign(space_.width(), metrics::not_a_number);
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const double value = rows.points[axes_[i].column][row];
            const std::vector<double>& codes = axes_[i].codes;
            const bool is_code = !codes.empty() && value >= 0.0 && value < static_cast<double>(codes.size());
            point.values[i] = is_code ? codes[static_cast<std::size_t>(value)] : value;
            if (!is_own(i, point.values[i])) return false;
        }
        return space_.complete(point.values);
    }

    /// Whether the value is one of the axis's values, or its idle value.
    [[nodiscard]] bool is_own(std::size_t axis, double value) const {
        const auto is_idle = [&](const space::Condition& condition) {
            return condition.axis == axis &&
                   (condition.idle == value || (std::isnan(condition.idle) && std::isnan(value)));
        };
        return space::place_on(space_.axes()[axis].values, value) ||
               std::any_of(space_.conditions().begin(), space_.conditions().end(), is_idle);
    }

    const space::Space& space_;
    results::RecordColumns columns_;
    std::vector<AxisColumn> axes_;
    std::vector<std::optional<std::size_t>> metrics_;
};

}  // namespace

std::vector<space::Record> known_rows(const space::Space& space, const results::ResultSchema& schema,
                                      const std::filesystem::path& file) {
    results::ResultsReader reader{file, results::ResultsReader::Extent::finished};
    require_same_question(schema, reader.columns().schema, file.string());
    OlderRows older{space, schema, reader.columns().schema};
    std::vector<space::Record> records;
    reader.each([&](const results::Table& block) {
        for (std::size_t row = 0; row < block.rows(); ++row)
            if (auto record = older.record(block, row)) records.push_back(std::move(*record));
    });
    return records;
}

}  // namespace dse::explore
