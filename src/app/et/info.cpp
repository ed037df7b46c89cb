#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/output_width.hpp"
#include "app/text_table.hpp"
#include "app/trace_arguments.hpp"
#include "dse/trace/chakra/trace_summary.hpp"

namespace dse::app::et {
namespace {

namespace chakra = trace::chakra;
using chakra::NodeType;

struct InfoOptions {
    TraceArguments traces;
    bool json{false};
};

/// The summary of a program, and the ranks that run it.
struct Program {
    chakra::TraceSummary summary;
    std::vector<std::size_t> ranks;
};

/// Communication of one kind in one group, over all ranks.
struct CommunicationRow {
    std::string kind;
    std::string group;
    std::set<std::size_t> ranks;
    std::uint64_t nodes{0};
    double bytes{0};
};

std::vector<Program> programs_of(const chakra::TraceSet& set) {
    std::vector<Program> programs(set.programs);
    for (std::size_t rank = 0; rank < set.ranks.size(); ++rank) {
        Program& program = programs[set.program[rank]];
        if (program.ranks.empty()) program.summary = chakra::summarise(*set.ranks[rank].trace);
        program.ranks.push_back(rank);
    }
    return programs;
}

std::string kind_of(const chakra::CommunicationTotal& total) {
    return std::string{total.type == NodeType::comm_coll ? name(total.kind) : name(total.type)};
}

std::vector<CommunicationRow> communication_of(const chakra::TraceSet& set,
                                               const std::vector<Program>& programs) {
    std::map<std::pair<std::string, std::string>, CommunicationRow> rows;
    for (std::size_t rank = 0; rank < set.ranks.size(); ++rank) {
        for (const auto& total : programs[set.program[rank]].summary.communication) {
            const std::string group =
                total.group == chakra::TraceStep::none ? "" : set.ranks[rank].groups[total.group];
            CommunicationRow& row = rows[{kind_of(total), group}];
            row.kind = kind_of(total);
            row.group = group;
            row.ranks.insert(rank);
            row.nodes += total.nodes;
            row.bytes += total.bytes;
        }
    }
    std::vector<CommunicationRow> result;
    result.reserve(rows.size());
    for (auto& [key, row] : rows) result.push_back(std::move(row));
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    return result;
}

/// "stream 7", "thread 1", "host", "device".
std::string text_of(const chakra::Lane& lane) {
    const bool host = lane.place == chakra::Lane::Place::host;
    if (!lane.number) return host ? "host" : "device";
    return fmt::format("{} {}", host ? "thread" : "stream", *lane.number);
}

std::string text_of_path(const chakra::TraceSummary& summary) {
    if (summary.path.nodes.empty()) return "none (dependencies make a cycle, or there are no nodes)";
    const std::string nodes = human_count(std::uint64_t{summary.path.nodes.size()});
    if (summary.path_cost == chakra::NodeCost::one)
        return fmt::format("{} node{} in a row (no durations are recorded)", nodes,
                           summary.path.nodes.size() == 1 ? "" : "s");
    return fmt::format("{} through {} nodes, by recorded durations{}",
                       human_seconds(static_cast<double>(summary.path.length) * 1e-6), nodes,
                       summary.path_waits == chakra::Waits::for_data ? " and data dependencies" : "");
}

void print_program(const Program& program) {
    const chakra::TraceSummary& summary = program.summary;
    const std::size_t first = program.ranks.front();
    const std::string heading =
        fmt::format("\nrank {}{}: {} nodes, {} data and {} control dependencies\n", first,
                    program.ranks.size() > 1 ? fmt::format(" and {} like it", program.ranks.size() - 1) : "",
                    human_count(summary.nodes), human_count(summary.data_dependencies),
                    human_count(summary.control_dependencies));
    std::cout << fitted_lines(heading);
    TextTable table;
    table.add_column("", TextTable::Align::left);
    table.add_column("");
    for (std::size_t type = 0; type < chakra::node_type_count; ++type) {
        if (summary.by_type[type] > 0)
            table.add_row(
                {std::string{name(static_cast<NodeType>(type))}, human_count(summary.by_type[type])});
    }
    if (summary.host_nodes > 0) table.add_row({"on the host", human_count(summary.host_nodes)});
    table.add_row({"operations of kernels (num_ops)", human_count(summary.num_ops)});
    table.add_row({"bytes of kernels (tensor_size)", human_bytes(summary.kernel_bytes)});
    if (summary.copied_bytes > 0)
        table.add_row({"bytes loaded and stored", human_bytes(summary.copied_bytes)});
    for (const chakra::LaneTotal& lane : summary.lanes) {
        table.add_row({text_of(lane.lane),
                       fmt::format("{}, {}", counted(lane.nodes, "node"),
                                   lane.micros > 0 ? human_seconds(static_cast<double>(lane.micros) * 1e-6)
                                                   : std::string{"no durations"})});
    }
    std::cout << table.text(2) << fitted_lines("  critical path: " + text_of_path(summary) + '\n');
}

/// Number of participating ranks, as text.
std::string members_of(const CommunicationRow& row, const chakra::Groups& groups) {
    const bool meets = row.kind != name(NodeType::comm_send) && row.kind != name(NodeType::comm_recv);
    if (!meets) return "2";
    if (groups.added().contains(row.group)) return human_count(std::uint64_t{groups.find(row.group)->size()});
    return row.group.empty() || row.group == "0" ? "all" : "unknown";
}

/// How many groups one line is of; messages are of none.
std::string groups_text(std::size_t count, const CommunicationRow& sum) {
    if (count > 1) return fmt::format("{} groups", count);
    return sum.group.empty() ? "" : "1 group";
}

/// Rows of a table: a group each, or, where that would be many, all groups of a size in one.
std::vector<std::vector<std::string>> rows_of(const std::vector<CommunicationRow>& rows,
                                              const chakra::Groups& groups) {
    constexpr std::size_t few = 12;
    std::vector<std::vector<std::string>> cells;
    std::map<std::pair<std::string, std::string>, std::pair<std::size_t, CommunicationRow>> merged;
    for (const CommunicationRow& row : rows) {
        const std::string members = members_of(row, groups);
        if (rows.size() <= few) {
            cells.push_back({row.kind, members, row.group, human_count(std::uint64_t{row.ranks.size()}),
                             human_count(row.nodes), human_bytes(row.bytes)});
            continue;
        }
        auto& [count, sum] = merged[{row.kind, members}];
        ++count;
        sum.group = row.group;
        sum.ranks.insert(row.ranks.begin(), row.ranks.end());
        sum.nodes += row.nodes;
        sum.bytes += row.bytes;
    }
    for (const auto& [key, value] : merged) {
        const auto& [count, sum] = value;
        cells.push_back({key.first, key.second, groups_text(count, sum),
                         human_count(std::uint64_t{sum.ranks.size()}), human_count(sum.nodes),
                         human_bytes(sum.bytes)});
    }
    return cells;
}

void print_communication(const std::vector<CommunicationRow>& rows, const chakra::Groups& groups) {
    if (rows.empty()) return;
    std::cout << fitted_lines("\ncommunication of all ranks, bytes as the traces count them\n");
    TextTable table;
    for (const char* heading : {"kind", "members", "group"})
        table.add_column(heading, TextTable::Align::left);
    for (const char* heading : {"ranks", "nodes", "bytes"}) table.add_column(heading);
    for (auto& cells : rows_of(rows, groups)) table.add_row(std::move(cells));
    std::cout << table.text(2);
}

void print_text(const InfoOptions& options, const LoadedTraces& loaded,
                const std::vector<Program>& programs) {
    const chakra::TraceSet& set = loaded.set;
    const std::string& version = set.ranks.front().version;
    std::cout << fitted_lines(
        fmt::format("{}: {} rank{}, {} different program{}, schema {}\n", options.traces.prefix,
                    set.ranks.size(), set.ranks.size() == 1 ? "" : "s", programs.size(),
                    programs.size() == 1 ? "" : "s", version.empty() ? "not said" : version));
    std::uint64_t faults = 0;
    for (const chakra::RankFaults& rank : loaded.faults) faults += rank.faults.count;
    if (faults > 0) std::cout << fmt::format("{} faults: see dse et check\n", human_count(faults));
    constexpr std::size_t most = 8;
    for (std::size_t p = 0; p < std::min(most, programs.size()); ++p) print_program(programs[p]);
    if (programs.size() > most)
        std::cout << fmt::format("\nand {} more programs (--json has all)\n", programs.size() - most);
    print_communication(communication_of(set, programs), loaded.groups);
}

Json json_of(const chakra::TraceSet& set, const Program& program) {
    const chakra::TraceSummary& summary = program.summary;
    Json row{{"rank", program.ranks.front()}, {"ranks", program.ranks.size()}};
    row["file"] = set.ranks[program.ranks.front()].path;
    row["nodes"] = summary.nodes;
    row["types"] = Json::object();
    for (std::size_t type = 0; type < chakra::node_type_count; ++type) {
        if (summary.by_type[type] > 0)
            row["types"][std::string{name(static_cast<NodeType>(type))}] = summary.by_type[type];
    }
    row["host_nodes"] = summary.host_nodes;
    row["data_dependencies"] = summary.data_dependencies;
    row["control_dependencies"] = summary.control_dependencies;
    row["num_ops"] = summary.num_ops;
    row["kernel_bytes"] = summary.kernel_bytes;
    row["copied_bytes"] = summary.copied_bytes;
    Json path{{"nodes", summary.path.nodes.size()}};
    const bool timed = summary.path_cost == chakra::NodeCost::duration;
    path["time"] = timed ? Json(static_cast<double>(summary.path.length) * 1e-6) : Json();
    row["critical_path"] = std::move(path);
    row["lanes"] = Json::array();
    for (const chakra::LaneTotal& lane : summary.lanes) {
        row["lanes"].push_back({{"place", lane.lane.place == chakra::Lane::Place::host ? "host" : "device"},
                                {"number", lane.lane.number ? Json(*lane.lane.number) : Json()},
                                {"nodes", lane.nodes},
                                {"time", static_cast<double>(lane.micros) * 1e-6}});
    }
    return row;
}

void print_as_json(const LoadedTraces& loaded, const std::vector<Program>& programs) {
    Json json = json_object();
    json["ranks"] = loaded.set.ranks.size();
    json["programs"] = programs.size();
    json["schema_version"] = loaded.set.ranks.front().version;
    json["rows"] = Json::array();
    for (const Program& program : programs) json["rows"].push_back(json_of(loaded.set, program));
    json["communication"] = Json::array();
    for (const CommunicationRow& row : communication_of(loaded.set, programs)) {
        const auto* members = loaded.groups.find(row.group);
        json["communication"].push_back({{"kind", row.kind},
                                         {"group", row.group},
                                         {"members", members != nullptr ? Json(members->size()) : Json()},
                                         {"ranks", row.ranks.size()},
                                         {"nodes", row.nodes},
                                         {"bytes", row.bytes}});
    }
    print_json(json);
}

ExitCode info(const InfoOptions& options) {
    const LoadedTraces loaded = load_traces(options.traces);
    const std::vector<Program> programs = programs_of(loaded.set);
    if (options.json) {
        print_as_json(loaded, programs);
    } else {
        print_text(options, loaded, programs);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_info(CLI::App& app) {
    const auto options = std::make_shared<InfoOptions>();
    add_trace_arguments(app, options->traces);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return info(*options); };
}

}  // namespace dse::app::et
