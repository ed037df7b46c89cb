#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "dse/trace/chakra/trace_difference.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::app::et {
namespace {

namespace chakra = trace::chakra;

struct DiffOptions {
    std::string first;
    std::string second;
    bool ignore_durations{false};
    bool json{false};
};

struct Row {
    std::size_t rank{0};
    chakra::TraceDifference difference;
};

std::vector<Row> compare(const chakra::TraceSet& first, const chakra::TraceSet& second,
                         chakra::Durations durations) {
    std::vector<Row> rows;
    for (std::size_t rank = 0; rank < std::min(first.ranks.size(), second.ranks.size()); ++rank)
        rows.push_back({rank, chakra::compare(first.ranks[rank], second.ranks[rank], durations)});
    return rows;
}

void print_text(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        const chakra::TraceDifference& d = row.difference;
        if (d.none()) continue;
        std::cout << fmt::format(
            "rank {}: {} nodes equal, {} changed, {} wait for other nodes, {} only in the first, {} only "
            "in the second\n",
            row.rank, human_count(d.equal), human_count(d.changed), human_count(d.rewired),
            human_count(d.only_first), human_count(d.only_second));
        for (const std::string& example : d.examples) std::cout << fmt::format("    {}\n", example);
    }
}

Json json_of(const Row& row) {
    const chakra::TraceDifference& d = row.difference;
    return {{"rank", row.rank},      {"equal", d.equal},           {"changed", d.changed},
            {"rewired", d.rewired},  {"only_first", d.only_first}, {"only_second", d.only_second},
            {"examples", d.examples}};
}

ExitCode diff(const DiffOptions& options) {
    // Faults of records are reported by `dse et check`; here records only differ or are equal.
    std::vector<chakra::RankFaults> ignored;
    const chakra::TraceSet first = chakra::read_traces(chakra::trace_files(options.first), ignored);
    const chakra::TraceSet second = chakra::read_traces(chakra::trace_files(options.second), ignored);
    const std::vector<Row> rows = compare(
        first, second, options.ignore_durations ? chakra::Durations::ignored : chakra::Durations::compared);
    const bool same_ranks = first.ranks.size() == second.ranks.size();
    const bool same = same_ranks && std::all_of(rows.begin(), rows.end(),
                                                [](const Row& row) { return row.difference.none(); });
    if (options.json) {
        Json json = json_object();
        json["same"] = same;
        json["ranks_first"] = first.ranks.size();
        json["ranks_second"] = second.ranks.size();
        json["rows"] = Json::array();
        for (const Row& row : rows) json["rows"].push_back(json_of(row));
        print_json(json);
    } else {
        print_text(rows);
        if (!same_ranks)
            std::cout << fmt::format("{} ranks in the first, {} in the second\n", first.ranks.size(),
                                     second.ranks.size());
        if (same)
            std::cout << fmt::format("no difference ({} rank{})\n", rows.size(), rows.size() == 1 ? "" : "s");
    }
    return same ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_diff(CLI::App& app) {
    const auto options = std::make_shared<DiffOptions>();
    app.add_option("first", options->first, "a trace, or PREFIX for PREFIX.0.et, PREFIX.1.et, …")
        ->required()
        ->type_name("FILE|PREFIX");
    app.add_option("second", options->second, "the trace or traces to compare with")
        ->required()
        ->type_name("FILE|PREFIX");
    app.add_flag("--ignore-durations", options->ignore_durations,
                 "ignore durations, so that two recordings of one program are equal");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return diff(*options); };
}

}  // namespace dse::app::et
