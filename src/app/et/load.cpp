#include <algorithm>
#include <filesystem>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/et/et.hpp"

namespace dse::app::et {
namespace {

namespace chakra = workload::chakra;

/// How many ranks groups can speak of: as many as there are traces; where only one of them is there, as many
/// as are named anywhere.
std::int64_t ranks_of(const chakra::TraceSet& set, chakra::Coverage coverage) {
    constexpr std::int64_t many = 1 << 20;
    return coverage == chakra::Coverage::all_ranks ? static_cast<std::int64_t>(set.ranks.size()) : many;
}

}  // namespace

void add_trace_arguments(CLI::App& app, TraceArguments& arguments) {
    app.add_option("traces", arguments.prefix, "a trace, or PREFIX for PREFIX.0.et, PREFIX.1.et, …")
        ->required()
        ->type_name("FILE|PREFIX");
    app.add_option("--comm-groups", arguments.groups_file,
                   "the ranks of each pg_name: {\"1\": [0, 1], …} (default: PREFIX.json where it is there)")
        ->type_name("FILE");
}

LoadedTraces load(const TraceArguments& arguments) {
    const std::vector<std::string> files = chakra::trace_files(arguments.prefix);
    const bool is_one_file = files.size() == 1 && files.front() == arguments.prefix;
    const auto coverage = is_one_file ? chakra::Coverage::some_ranks : chakra::Coverage::all_ranks;
    std::vector<chakra::RankFaults> faults;
    chakra::TraceSet set = chakra::read_traces(files, faults);
    chakra::Groups groups{ranks_of(set, coverage)};
    std::string groups_file = arguments.groups_file;
    std::error_code ignored;
    if (const std::string beside = arguments.prefix + ".json";
        groups_file.empty() && std::filesystem::is_regular_file(beside, ignored))
        groups_file = beside;
    if (!groups_file.empty()) chakra::read_groups(groups_file, groups);
    chakra::add_declared(set.ranks, groups);
    return {std::move(set), std::move(faults), std::move(groups), coverage, std::move(groups_file)};
}

}  // namespace dse::app::et
