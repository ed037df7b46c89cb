#include "app/effects_report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "app/text_table.hpp"
#include "dse/base/seed.hpp"

namespace dse::app {
namespace {

/// The rank of each value among the distinct values.
std::vector<std::uint32_t> places_of(const std::vector<double>& values) {
    std::vector<double> distinct;
    for (const double value : values) {
        if (!std::isnan(value)) distinct.push_back(value);
    }
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::uint32_t> places;
    for (const double value : values) {
        // An idle axis has no value, which gets its own rank after all others.
        const auto place =
            std::isnan(value) ? distinct.end() : std::lower_bound(distinct.begin(), distinct.end(), value);
        places.push_back(static_cast<std::uint32_t>(place - distinct.begin()));
    }
    return places;
}

std::string share_text(const std::optional<double>& share) {
    return share ? human_share(*share) : "–";
}

Json share_json(const std::optional<double>& share) {
    return share ? Json(*share) : Json(nullptr);
}

/// Axes in descending order of their effects.
std::vector<std::size_t> by_weight(const metrics::AxisEffects& effects) {
    std::vector<std::size_t> order(effects.axes().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto weight = [&](std::size_t axis) {
        const metrics::AxisEffect& effect = effects.axes()[axis];
        return std::max(effect.first, effect.total.value_or(0.0));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    return order;
}

std::string axes_table(const metrics::AxisEffects& effects, const std::vector<std::string>& names) {
    TextTable table;
    table.add_column("axis", TextTable::Align::left);
    for (const char* heading : {"alone", "by rank", "with others", "trend"}) table.add_column(heading);
    for (const std::size_t axis : by_weight(effects)) {
        const metrics::AxisEffect& effect = effects.axes()[axis];
        table.add_row({names[axis], human_share(effect.first), human_share(effect.first_rank),
                       share_text(effect.total), effect.trend ? fmt::format("{:+.2f}", *effect.trend) : "–"});
    }
    return table.text(4);
}

std::string interactions_text(const metrics::AxisEffects& effects, const std::vector<std::string>& names,
                              std::size_t most) {
    constexpr double worth_naming = 0.001;
    std::vector<std::string> pairs;
    for (const metrics::Interaction& pair : effects.interactions()) {
        if (pairs.size() == most || pair.share < worth_naming) break;
        pairs.push_back(
            fmt::format("{} x {} {}", names[pair.one], names[pair.other], human_share(pair.share)));
    }
    return pairs.empty() ? "" : fmt::format("    two together: {}\n", fmt::join(pairs, ", "));
}

}  // namespace

EffectsReport::EffectsReport(const results::Table& columns, std::vector<metrics::Objective> objectives)
    : name_{results::title(columns.schema.sweep)},
      objectives_{std::move(objectives)},
      one_of_{columns.schema.sweep.points / most_rows + 1},
      costs_(objectives_.size()),
      idle_{columns} {
    for (std::size_t c = 0; c < columns.schema.points.size(); ++c) {
        if (columns.schema.points[c].role != results::ColumnRole::axis) continue;
        axes_.push_back(c);
        names_.push_back(columns.schema.points[c].name);
    }
    points_.resize(axes_.size());
}

void EffectsReport::add(const results::Table& block, std::span<const space::Status> statuses) {
    idle_.add(block);
    rows_ += block.rows();
    const metrics::CostTable costs = results::costs(block, objectives_, statuses);
    for (std::size_t row = 0; row < block.rows(); ++row) {
        if (one_of_ > 1 && mixed(block.point_id[row]) % one_of_ != 0) continue;
        if (space::is_failure(block.status[row])) continue;  // nothing is known about failures
        for (std::size_t a = 0; a < axes_.size(); ++a) points_[a].push_back(block.points[axes_[a]][row]);
        for (std::size_t k = 0; k < objectives_.size(); ++k) {
            const double sign = objectives_[k].direction == metrics::Direction::minimize ? 1.0 : -1.0;
            costs_[k].push_back(sign * costs[row][k]);
        }
        feasible_.push_back(statuses[row] == space::Status::ok ? 1.0 : 0.0);
    }
}

std::vector<std::size_t> EffectsReport::answered(std::size_t objective) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < feasible_.size(); ++row) {
        if (std::isfinite(costs_[objective][row])) rows.push_back(row);
    }
    return rows;
}

std::vector<std::vector<std::uint32_t>> EffectsReport::places(const std::vector<std::size_t>& rows) const {
    std::vector<std::vector<std::uint32_t>> places;
    for (const std::vector<double>& axis : points_) {
        std::vector<double> values;
        values.reserve(rows.size());
        for (const std::size_t row : rows) values.push_back(axis[row]);
        places.push_back(places_of(values));
    }
    return places;
}

std::vector<EffectsReport::Effects> EffectsReport::effects() const {
    std::vector<Effects> result;
    for (std::size_t k = 0; k < objectives_.size(); ++k) {
        const std::vector<std::size_t> rows = answered(k);
        std::vector<double> values;
        values.reserve(rows.size());
        for (const std::size_t row : rows) values.push_back(costs_[k][row]);
        result.push_back({objectives_[k].metric, metrics::AxisEffects{places(rows), values}});
    }
    std::vector<std::size_t> all(feasible_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    result.push_back({"feasible", metrics::AxisEffects{places(all), feasible_}});
    return result;
}

std::string EffectsReport::text(std::size_t interactions) const {
    const auto ok = static_cast<std::uint64_t>(std::accumulate(feasible_.begin(), feasible_.end(), 0.0));
    std::string text = fmt::format("{}: {} rows, {} of {} feasible\n", name_, human_count(rows_),
                                   human_count(ok), human_count(std::uint64_t{feasible_.size()}));
    if (one_of_ > 1) text += fmt::format("  based on one row in {}\n", human_count(one_of_));
    for (const Effects& one : effects()) {
        if (one.effects.constant()) {
            text += fmt::format("  {}: the same in all rows\n", one.quantity);
            continue;
        }
        text += fmt::format("  What decides {}, as shares of its variance:\n", one.quantity);
        text += axes_table(one.effects, names_) + interactions_text(one.effects, names_, interactions);
    }
    if (const auto idle = idle_.names(); !idle.empty())
        text += fmt::format("  Axes without any effect: {}\n", fmt::join(idle, ", "));
    return text;
}

Json EffectsReport::json() const {
    Json json{{"name", name_}, {"points", rows_}, {"looked_at_one_of", one_of_}, {"rows", Json::array()}};
    for (const Effects& one : effects()) {
        Json quantity{{"quantity", one.quantity}, {"constant", one.effects.constant()}};
        for (const std::size_t axis : by_weight(one.effects)) {
            const metrics::AxisEffect& effect = one.effects.axes()[axis];
            quantity["axes"].push_back(Json{{"axis", names_[axis]},
                                            {"first", effect.first},
                                            {"first_rank", effect.first_rank},
                                            {"total", share_json(effect.total)},
                                            {"seen", effect.seen},
                                            {"trend", share_json(effect.trend)}});
        }
        for (const metrics::Interaction& pair : one.effects.interactions())
            quantity["interactions"].push_back(
                Json{{"axes", Json::array({names_[pair.one], names_[pair.other]})}, {"share", pair.share}});
        json["rows"].push_back(std::move(quantity));
    }
    json["idle"] = idle_.names();
    return json;
}

}  // namespace dse::app
