#include "app/price_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/row_point.hpp"
#include "app/text_table.hpp"
#include "dse/base/error.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/eval/frontend_of.hpp"
#include "dse/study/binder.hpp"

namespace dse::app {
namespace {

std::vector<std::string> simulated(const std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const std::string& name : names) {
        for (const metrics::MetricField& field : metrics::metric_fields()) {
            if (field.name == name) known.push_back(name);
        }
    }
    return known;
}

/// A change of a metric, with its sign.
std::string change_text(double change, std::string_view metric) {
    if (std::isnan(change)) return "–";
    const std::string size = human_value(std::abs(change), metrics::metric_field(metric).unit);
    return change == 0.0 ? size : (change < 0.0 ? "-" : "+") + size;
}

Json number(double value) {
    return std::isnan(value) ? Json(nullptr) : Json(value);
}

}  // namespace

std::vector<PricedRow> price_rows(const study::Sweep& sweep, const results::Table& rows, std::size_t most,
                                  const std::vector<std::string>& metrics) {
    study::Binder binder{sweep};
    std::vector<PricedRow> priced;
    for (std::size_t row = 0; row < std::min(most, rows.rows()); ++row) {
        if (dist::stop_requested()) throw Stopped("stopped between two points");
        binder.bind(point_of(sweep, rows, row));
        priced.push_back(
            {row, eval::shadow_prices(binder.scenario(), simulated(metrics), eval::frontend_of(sweep))});
    }
    return priced;
}

std::string price_text(const results::Table& rows, const std::vector<PricedRow>& priced) {
    std::string text;
    for (const PricedRow& one : priced) {
        text += fmt::format("  What one unit is worth at point {}:\n", rows.point_id[one.row]);
        if (one.prices.empty())
            text += "    nothing: no number of the machine affects the objectives there\n";
        TextTable table;
        for (const char* heading : {"one", "of", "changes"})
            table.add_column(heading, TextTable::Align::left);
        for (const char* heading : {"with one more", "with one less", ""}) table.add_column(heading);
        for (const eval::ShadowPrice& price : one.prices) {
            table.add_row({price.unit_name, price.field.path, price.metric,
                           change_text(price.more, price.metric), change_text(-price.less, price.metric),
                           price.has_kink() ? "kink" : ""});
        }
        if (one.prices.empty()) continue;
        text += table.text(4);
        constexpr double coarse = 0.01;
        if (const double step = one.prices.front().step; step > coarse)
            text += fmt::format("    (slopes over {:g} % of each number)\n", 100.0 * step);
    }
    return text;
}

Json price_json(const results::Table& rows, const std::vector<PricedRow>& priced) {
    Json json = Json::array();
    for (const PricedRow& one : priced) {
        Json point = row_json(rows, one.row);
        Json& prices = point["prices"] = Json::array();
        for (const eval::ShadowPrice& price : one.prices) {
            prices.push_back(Json{{"field", price.field.path},
                                  {"value", price.value},
                                  {"unit", price.unit_name},
                                  {"unit_size", price.unit},
                                  {"metric", price.metric},
                                  {"more", number(price.more)},
                                  {"less", number(price.less)},
                                  {"step", price.step},
                                  {"kink", price.has_kink()}});
        }
        json.push_back(std::move(point));
    }
    return json;
}

}  // namespace dse::app
