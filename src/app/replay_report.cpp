#include "app/replay_report.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

const ReplayRow& last_of(const std::vector<ReplayRow>& rows) {
    return *std::ranges::max_element(rows, {}, [](const ReplayRow& row) { return row.time.value(); });
}

}  // namespace

void print_replay_json(const std::vector<ReplayRow>& rows) {
    Json json = json_object();
    const ReplayRow& last = last_of(rows);
    json["time"] = last.time.value();
    if (last.ticks) json["ticks"] = *last.ticks;
    json["ranks"] = Json::array();
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
        const ReplayRow& row = rows[rank];
        Json entry{{"rank", rank}, {"time", row.time.value()}};
        if (row.ticks) entry["ticks"] = *row.ticks;
        entry["exposed_communication"] = row.exposed.value();
        if (row.exposed_ticks) entry["exposed_communication_ticks"] = *row.exposed_ticks;
        entry["compute"] = row.compute.value();
        json["ranks"].push_back(std::move(entry));
    }
    print_json(json);
}

void print_replay_table(const std::vector<ReplayRow>& rows) {
    const ReplayRow& last = last_of(rows);
    std::cout << human_seconds(last.time.value())
              << (last.ticks ? fmt::format(" ({} ticks of ASTRA-sim)\n", *last.ticks) : "\n");
    TextTable table;
    table.add_column("ranks", TextTable::Align::left);
    for (const char* name : {"time", "computing", "exposed communication"}) table.add_column(name);
    if (last.ticks) table.add_column("ticks");
    for (std::size_t first = 0; first < rows.size();) {
        std::size_t next = first + 1;
        while (next < rows.size() && rows[next] == rows[first]) ++next;
        const ReplayRow& row = rows[first];
        std::vector<std::string> cells{
            next - first == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, next - 1),
            human_seconds(row.time.value()), human_seconds(row.compute.value()),
            human_seconds(row.exposed.value())};
        if (row.ticks) cells.push_back(fmt::format("{}", *row.ticks));
        table.add_row(cells);
        first = next;
    }
    std::cout << table.text(2);
}

}  // namespace dse::app
