#include "app/questions/standing.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/questions/row_names.hpp"
#include "app/result_columns.hpp"
#include "app/text_table.hpp"
#include "dse/base/check.hpp"

namespace dse::app {
namespace {

double sign_of(const metrics::Objective& objective) {
    return objective.direction == metrics::Direction::minimize ? 1.0 : -1.0;
}

/// Relative change from one value to another: "-8.1 %".
std::string gain_text(double from, double to) {
    return from == 0.0 ? "" : fmt::format("{:+.1f} %", 100.0 * (to - from) / std::abs(from));
}

std::vector<double> row_costs(const results::Table& table,
                              const std::vector<metrics::Objective>& objectives) {
    const metrics::CostTable costs = results::costs(table, objectives);
    return {costs[0].begin(), costs[0].end()};
}

}  // namespace

Standing::Standing(const results::Table& marked, const results::Table& front,
                   std::vector<metrics::Objective> objectives)
    : marked_{marked},
      objectives_{std::move(objectives)},
      costs_{row_costs(marked, objectives_)},
      front_costs_{results::costs(front, objectives_)},
      before_(objectives_.size(), 0),
      better_{results::without_rows(marked)},
      on_front_{results::without_rows(marked)} {
    for (std::size_t i = 0; i < front.rows(); ++i) {
        if (metrics::dominates(front_costs_[i], costs_)) consider(on_front_, front, i, front_costs_[i]);
    }
}

bool Standing::answered() const {
    return std::all_of(costs_.begin(), costs_.end(), [](double cost) { return std::isfinite(cost); });
}

void Standing::add(const results::Table& block) {
    const metrics::CostTable costs = results::costs(block, objectives_);
    for (std::size_t i = 0; i < block.rows(); ++i) {
        const std::span<const double> row = costs[i];
        if (std::any_of(row.begin(), row.end(), [](double cost) { return std::isnan(cost); })) continue;
        ++rows_;
        for (std::size_t j = 0; j < row.size(); ++j) before_[j] += row[j] < costs_[j] ? 1 : 0;
        if (!metrics::dominates(row, costs_)) continue;
        ++dominators_;
        consider(better_, block, i, row);
    }
}

std::vector<std::size_t> Standing::changed_axes(const results::Table& rows, std::size_t row) const {
    std::vector<std::size_t> axes;
    for (std::size_t c = 0; c < rows.schema.points.size(); ++c) {
        const bool axis = rows.schema.points[c].role == results::ColumnRole::axis;
        if (axis && rows.points[c][row] != marked_.points[c][0]) axes.push_back(c);
    }
    return axes;
}

void Standing::consider(Change& best, const results::Table& rows, std::size_t row,
                        std::span<const double> costs) {
    std::vector<std::size_t> axes = changed_axes(rows, row);
    const bool fewer = best.row.rows() == 0 || axes.size() < best.axes.size() ||
                       (axes.size() == best.axes.size() && costs[0] < best.cost);
    if (!fewer) return;
    best.row.clear();
    best.row.append(rows, row);
    best.axes = std::move(axes);
    best.cost = costs[0];
}

double Standing::distance() const {
    double largest = 1.0;
    for (std::size_t i = 0; i < front_costs_.size(); ++i) {
        double least = metrics::not_a_number;
        for (std::size_t j = 0; j < costs_.size(); ++j) {
            const double front = std::abs(front_costs_[i][j]);
            const double own = std::abs(costs_[j]);
            if (!(front > 0.0) || !(own > 0.0) || front_costs_[i][j] * costs_[j] < 0.0)
                return metrics::not_a_number;
            const double factor = costs_[j] > 0.0 ? own / front : front / own;
            least = std::isnan(least) ? factor : std::min(least, factor);
        }
        largest = std::max(largest, least);
    }
    return largest - 1.0;
}

/// The value that one objective would need for the row to be on the front, if the others stayed the same; as
/// a metric, NaN if no point of the front determines it.
double Standing::alone(std::size_t objective) const {
    double least = metrics::not_a_number;
    for (std::size_t i = 0; i < front_costs_.size(); ++i) {
        bool as_good = true;
        for (std::size_t j = 0; j < costs_.size(); ++j)
            as_good = as_good && (j == objective || front_costs_[i][j] <= costs_[j]);
        if (as_good && !(least <= front_costs_[i][objective])) least = front_costs_[i][objective];
    }
    return sign_of(objectives_[objective]) * least;
}

std::string Standing::gains_text(const Change& change) const {
    std::vector<std::string> gains;
    for (const metrics::Objective& objective : objectives_) {
        const double from = marked_.metric(objective.metric)[0];
        const double to = change.row.metric(objective.metric)[0];
        const std::string gain = gain_text(from, to);
        if (from != to && !gain.empty()) gains.push_back(fmt::format("{} {}", objective.metric, gain));
    }
    return fmt::format("{}", fmt::join(gains, ", "));
}

std::string Standing::change_text(const Change& change) const {
    std::vector<std::string> axes;
    for (const std::size_t c : change.axes) {
        const results::Column& column = marked_.schema.points[c];
        axes.push_back(fmt::format("{} {} → {}", column.name, column_text(column, marked_.points[c][0]),
                                   column_text(column, change.row.points[c][0])));
    }
    return fmt::format("{}: {}", fmt::join(axes, ", "), gains_text(change));
}

std::string Standing::text() const {
    DSE_EXPECT(answered());
    TextTable table;
    table.add_column("", TextTable::Align::left);
    table.add_column("");
    table.add_column("rank");
    const bool dominated = dominators_ > 0;
    table.add_column(dominated ? "on the front alone at" : "");
    for (std::size_t j = 0; j < objectives_.size(); ++j) {
        const results::MetricColumn& column = metric_column(marked_, objectives_[j].metric);
        table.add_row({column.name, metric_text(column, marked_.metric(column.name)[0]),
                       fmt::format("{} of {}", human_count(before_[j] + 1), human_count(rows_)),
                       dominated ? metric_text(column, alone(j)) : ""});
    }
    std::string text = table.text(2);
    if (!dominated)
        return text + "  on the front: no row is at least as good in every objective and better in one\n";
    text += fmt::format("  not on the front: {} row{} better in some objective and worse in none\n",
                        human_count(dominators_), dominators_ == 1 ? " is" : "s are");
    if (const double far = distance(); !std::isnan(far))
        text +=
            fmt::format("  distance to the front: {} % in every objective at once\n",
                        far < 1.0 ? fmt::format("{:.2g}", 100.0 * far) : fmt::format("{:.0f}", 100.0 * far));
    text += fmt::format("  smallest improving change: {}\n", change_text(better_));
    if (on_front_.row.rows() > 0 && on_front_.row.point_id != better_.row.point_id)
        text += fmt::format("  smallest change to the front: {}\n", change_text(on_front_));
    return text;
}

Json Standing::change_json(const Change& change) const {
    if (change.row.rows() == 0) return nullptr;
    Json changes = Json::object();
    for (const std::size_t c : change.axes) {
        const results::Column& column = marked_.schema.points[c];
        changes[column.name] = {{"from", column_json(column, marked_.points[c][0])},
                                {"to", column_json(column, change.row.points[c][0])}};
    }
    return Json{{"changes", changes}, {"row", row_json(change.row, 0)}};
}

Json Standing::json() const {
    Json json{{"row", row_json(marked_, 0)}};
    if (!answered()) return json;
    json["on_front"] = dominators_ == 0;
    json["dominated_by"] = dominators_;
    json["distance"] = distance();
    for (std::size_t j = 0; j < objectives_.size(); ++j) {
        json["rank"][objectives_[j].metric] = {{"rank", before_[j] + 1}, {"of", rows_}};
        json["alone"][objectives_[j].metric] = alone(j);
    }
    json["better"] = change_json(better_);
    json["front"] = change_json(on_front_);
    return json;
}

}  // namespace dse::app
