#include "app/energy_errors.hpp"

#include <iostream>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/row_reasons.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

using eval::EnergyComparison;
using eval::EnergySummary;

Json energy_json(const EnergyComparison& each, const char* metric, double predicted,
                 const std::optional<double>& measured) {
    const double truth = measured.value_or(std::nan(""));
    return Json{{"id", each.row.id},    {"source", "ML.ENERGY"},
                {"chip", each.row.gpu}, {"model", each.row.model},
                {"metric", metric},     {"predicted", predicted},
                {"measured", truth},    {"error", predicted / truth - 1.0},
                {"why", each.why}};
}

Json errors_json(const EnergySummary::Errors& errors) {
    return Json{{"median_absolute_error", errors.median},
                {"mean_absolute_error", errors.mean},
                {"bias", errors.bias}};
}

}  // namespace

void add_energies(const std::vector<EnergyComparison>& comparisons, Json& json) {
    json["rows"] = Json::array();
    for (const EnergyComparison& each : comparisons) {
        json["rows"].push_back(
            energy_json(each, "joules_per_token", each.joules_per_token, each.row.joules_per_token));
        json["rows"].push_back(energy_json(each, "power", each.power, each.row.power));
        json["rows"].push_back(energy_json(each, "power_at_pace", each.power_at_pace, each.row.power));
        json["rows"].back()["devices"] = each.row.devices;
        json["rows"].back()["operations_power"] = each.operations_power;
        json["rows"].back()["bytes_per_second"] = each.bytes_per_second;
    }
    json["summary"] = Json::array();
    for (const EnergySummary& summary : eval::summarize(comparisons)) {
        json["summary"].push_back({{"name", summary.name},
                                   {"rows", summary.rows},
                                   {"joules_per_token", errors_json(summary.energy)},
                                   {"power", errors_json(summary.power)},
                                   {"power_at_pace", errors_json(summary.power_at_pace)}});
    }
}

void print_energy_rows(const std::vector<EnergyComparison>& comparisons) {
    TextTable table;
    table.add_column("server", TextTable::Align::left);
    for (const char* heading : {"J/token", "measured", "error", "power", "at pace", "measured"})
        table.add_column(heading);
    table.add_column("", TextTable::Align::left);
    for (const EnergyComparison& each : comparisons) {
        if (!each.is_compared()) {
            table.add_row({each.row.id, "", "", "", "", "", "", each.why});
            continue;
        }
        table.add_row({each.row.id, human_value(each.joules_per_token, "J"),
                       human_value(*each.row.joules_per_token, "J"), signed_share_cell(each.energy_error()),
                       human_value(each.power, "W"), human_value(each.power_at_pace, "W"),
                       human_value(*each.row.power, "W"), ""});
    }
    std::cout << table.text() << '\n';
}

void print_energies(const std::vector<EnergyComparison>& comparisons) {
    TextTable table;
    table.add_column("energy of servers", TextTable::Align::left);
    for (const char* heading : {"rows", "J/token", "bias", "power", "bias", "at pace", "bias"})
        table.add_column(heading);
    for (const EnergySummary& s : eval::summarize(comparisons)) {
        table.add_row({s.name, fmt::format("{}", s.rows), share_cell(s.energy.median),
                       signed_share_cell(s.energy.bias), share_cell(s.power.median),
                       signed_share_cell(s.power.bias), share_cell(s.power_at_pace.median),
                       signed_share_cell(s.power_at_pace.bias)});
    }
    std::cout << "Median errors of joules per output token and of power, for the devices of servers "
                 "alone;\nat pace: of power at the measured throughput.\n"
              << table.text() << not_predicted_text(comparisons);
}

}  // namespace dse::app
