#include "app/why_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

/// Operators of the critical path that people see; JSON has them all.
constexpr std::size_t shown_operators = 12;
// Of names that compilers make: paths, and words put together without end.
constexpr std::size_t operator_width = 60;
constexpr std::size_t region_width = 30;
/// What saves less than this share of the time for 1 % is left out for people.
constexpr double worth_showing = 5e-6;

std::string human_times(double count) {
    return count == std::round(count) ? human_count(count) : fmt::format("{:.1f}", count);
}

double three_digits(double value) {
    const double magnitude = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
    return std::round(value / magnitude) * magnitude;
}

std::string human_rate(double bytes_per_second) {
    constexpr config::Dimension rate{-1, 1, 0, 0, 0};
    return bytes_per_second == 0.0 ? "–" : config::format_quantity(three_digits(bytes_per_second), rate);
}

std::string seconds_or_dash(double seconds) {
    return seconds == 0.0 ? "–" : human_seconds(seconds);
}

TextTable table_of(std::initializer_list<const char*> left, std::initializer_list<const char*> right) {
    TextTable table;
    for (const char* heading : left) table.add_column(heading, TextTable::Align::left);
    for (const char* heading : right) table.add_column(heading);
    return table;
}

/// "mm" of PyTorch's "mm_224", "fusion" of XLA's "fusion.12".
std::string without_number(const std::string& name) {
    const std::size_t last = name.find_last_not_of("0123456789");
    const bool numbered = last != std::string::npos && last > 0 && last + 1 < name.size() &&
                          (name[last] == '_' || name[last] == '.');
    return numbered ? name.substr(0, last) : name;
}

/// Longest first, as they came.
std::vector<eval::PathRow> by_kind(const std::vector<eval::PathRow>& rows) {
    std::map<std::tuple<std::string, std::string, std::string>, eval::PathRow> kinds;
    for (const eval::PathRow& row : rows) {
        const std::string name = without_number(row.name);
        eval::PathRow& kind =
            kinds.try_emplace({name, row.where, row.what}, eval::PathRow{name, row.where, row.what, 0, 0})
                .first->second;
        kind.count += row.count;
        kind.seconds += row.seconds;
    }
    std::vector<eval::PathRow> sorted;
    for (auto& [key, row] : kinds) sorted.push_back(std::move(row));
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const eval::PathRow& a, const eval::PathRow& b) { return a.seconds > b.seconds; });
    return sorted;
}

std::string path_text(const Why& why) {
    const std::vector<eval::PathRow> path = why.of_program ? by_kind(why.path) : why.path;
    TextTable table = table_of({"operator", "in", "is"}, {"times", "time", "share"});
    double rest = 0.0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const eval::PathRow& row = path[i];
        if (i >= shown_operators) {
            rest += row.seconds;
            continue;
        }
        table.add_row({human_name(row.name, operator_width), human_name(row.where, region_width), row.what,
                       human_times(row.count), human_seconds(row.seconds),
                       human_share(row.seconds / why.iteration_time)});
    }
    if (path.size() > shown_operators) {
        table.add_row({fmt::format("{} others", path.size() - shown_operators), "", "", "",
                       human_seconds(rest), human_share(rest / why.iteration_time)});
    }
    const std::string stages = why.stage_changes == 0.0
                                   ? fmt::format("on stage {}", why.last_stage)
                                   : fmt::format("ends on stage {} after {} changes of stage", why.last_stage,
                                                 human_times(why.stage_changes));
    return fmt::format("Critical path, the chain that the iteration time is the sum of ({}):\n{}", stages,
                       table.text(2));
}

std::string communication_text(const Why& why) {
    if (why.communication.rows.empty()) return {};
    TextTable table = table_of({"", "group"}, {"ranks", "times", "buffers", "time", "exposed", "needed",
                                               "queued", "held", "algbw", "busbw"});
    for (const eval::CommunicationRow& row : why.communication.rows) {
        table.add_row({row.what, row.group, std::to_string(row.ranks), human_times(row.count),
                       human_bytes(row.bytes), human_seconds(row.seconds), seconds_or_dash(row.exposed()),
                       seconds_or_dash(row.needed), seconds_or_dash(row.queued), seconds_or_dash(row.held),
                       human_rate(row.algorithm_bandwidth), human_rate(row.bus_bandwidth)});
    }
    return fmt::format(
        "Communication of stage {}'s devices, and what of it their kernels notice (needed: they wait for "
        "its\n"
        "result; queued: they wait for another that had to wait for it; held: it keeps their stream):\n{}",
        why.busiest_stage, table.text(2));
}

std::string tiers_text(const Why& why) {
    if (why.communication.tiers.empty()) return {};
    TextTable table = table_of({"tier"}, {"domain", "rate", "sent", "used", "busy"});
    for (const eval::TierUse& use : why.communication.tiers) {
        table.add_row({use.tier.name, std::to_string(use.tier.size), human_rate(use.tier.bandwidth.value()),
                       human_bytes(use.bytes), human_share(use.utilization),
                       human_share(use.seconds / why.iteration_time)});
    }
    return fmt::format(
        "Use of the network by one of these devices (domain: devices or domains that it joins; used: of what "
        "its\n"
        "links could carry in an iteration; busy: share of the time in which something is under way, both "
        "may\n"
        "overlap):\n{}",
        table.text(2));
}

std::string streams_text(const Why& why) {
    TextTable table = table_of({""}, {"", ""});
    for (const StreamUse& use : why.streams)
        table.add_row({use.stream, human_seconds(use.busy), human_share(use.busy / why.iteration_time)});
    return fmt::format("How busy its streams are (what overlaps counts in each):\n{}", table.text(2));
}

/// "-12.3 %" of the iteration time.
std::string saved_text(const Why& why, const eval::WhatIf& what_if) {
    if (std::isnan(what_if.time)) return "refused";
    const double change = what_if.time / why.iteration_time - 1.0;
    if (std::abs(change) < 5e-5) return fmt::format("{:+.4f} %", 100.0 * change);
    return fmt::format("{:+.2f} %", 100.0 * change);
}

std::string what_if_text(const Why& why) {
    TextTable table = table_of({"field"}, {"is", "1 % better", "10 %", "twice", "no limit"});
    std::size_t shown = 0;
    std::size_t silent = 0;
    for (const eval::Sensitivity& one : why.sensitivities) {
        if (std::abs(one.elasticity) * 0.01 < worth_showing) {
            ++silent;
            continue;
        }
        std::vector<std::string> cells{one.field.path, config::format_value(one.value, one.field)};
        for (const eval::WhatIf& what_if : one.what_if) cells.push_back(saved_text(why, what_if));
        table.add_row(std::move(cells));
        ++shown;
    }
    if (shown == 0) return {};
    return fmt::format(
        "What a better machine buys: the change of the iteration time where one number alone\n"
        "is better, a rate larger or a time shorter (no limit: 10^6 times):\n{}"
        "  The other {} parameters of the machine hardly change it.\n",
        table.text(2), silent);
}

Json tier_bytes_json(const eval::CommunicationRow& row, const eval::Communication& communication) {
    Json json = Json::object();
    for (std::size_t d = 0; d < communication.tiers.size(); ++d)
        json[communication.tiers[d].tier.name] = row.sent[d];
    return json;
}

Json what_if_json(const Why& why) {
    Json list = Json::array();
    for (const eval::Sensitivity& one : why.sensitivities) {
        Json changes = Json::array();
        for (const eval::WhatIf& what_if : one.what_if) {
            Json change{{"factor", what_if.factor}, {"iteration_time", what_if.time}};
            if (!what_if.why.empty()) change["why"] = what_if.why;
            changes.push_back(std::move(change));
        }
        list.push_back({{"field", one.field.path},
                        {"value", one.value},
                        {"unit", config::unit_of(one.field.dimension)},
                        {"better", one.is_time ? "less" : "more"},
                        {"elasticity", one.elasticity},
                        {"changes", std::move(changes)}});
    }
    return list;
}

}  // namespace

std::vector<StreamUse> stream_use(const eval::PlayedPoint& point) {
    const sim::Timeline& timeline = point.busiest();
    std::vector<StreamUse> use;
    for (const std::string& name : timeline.streams) use.push_back({name, 0.0});
    for (const sim::Span& span : timeline.spans)
        use[span.stream].busy += point.window().share(span.start, span.end) * point.scale();
    std::erase_if(use, [](const StreamUse& stream) { return stream.busy == 0.0; });
    return use;
}

Why why_of(const eval::PlayedPoint& point, const eval::Explanation& explanation) {
    return {point.busiest_stage(),
            point.last_stage(),
            explanation.result.iteration_time,
            eval::summarize_path(point, explanation),
            is_laid_out(explanation.scenario->workload),
            eval::stage_changes(point),
            eval::communication_of(point, explanation),
            stream_use(point),
            {}};
}

void add_why(const Why& why, Json& json) {
    Json& path = json["critical_path"] = Json{{"stage_changes", why.stage_changes}};
    Json& operators = path["operators"] = Json::array();
    for (const eval::PathRow& row : why.path) {
        operators.push_back({{"name", row.name},
                             {"where", row.where},
                             {"what", row.what},
                             {"count", row.count},
                             {"time", row.seconds}});
    }
    Json& communication = json["communication"] = Json::array();
    for (const eval::CommunicationRow& row : why.communication.rows) {
        communication.push_back({{"what", row.what},
                                 {"group", row.group},
                                 {"ranks", row.ranks},
                                 {"count", row.count},
                                 {"bytes", row.bytes},
                                 {"time", row.seconds},
                                 {"needed", row.needed},
                                 {"queued", row.queued},
                                 {"held", row.held},
                                 {"algorithm_bandwidth", row.algorithm_bandwidth},
                                 {"bus_bandwidth", row.bus_bandwidth},
                                 {"sent", tier_bytes_json(row, why.communication)}});
    }
    Json& tiers = json["tiers"] = Json::array();
    for (const eval::TierUse& use : why.communication.tiers) {
        tiers.push_back({{"name", use.tier.name},
                         {"devices", use.tier.size},
                         {"bandwidth", use.tier.bandwidth.value()},
                         {"sent", use.bytes},
                         {"busy", use.seconds},
                         {"utilization", use.utilization}});
    }
    Json& streams = json["streams"] = Json::object();
    for (const StreamUse& use : why.streams) streams[use.stream] = use.busy;
    json["what_if"] = what_if_json(why);
}

std::string why_text(const Why& why) {
    std::string text;
    for (const std::string& part :
         {path_text(why), communication_text(why), tiers_text(why), streams_text(why), what_if_text(why)}) {
        if (!part.empty()) text += "\n" + part;
    }
    return text;
}

}  // namespace dse::app
