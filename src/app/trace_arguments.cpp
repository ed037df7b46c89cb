#include "app/trace_arguments.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

namespace chakra = trace::chakra;
using chakra::Coverage;

/// Number of ranks that groups may refer to: the number of traces if all ranks are present, otherwise a large
/// bound.
std::int64_t ranks_of(std::size_t traces, Coverage coverage) {
    constexpr std::int64_t many = 1 << 20;
    return coverage == Coverage::all_ranks ? static_cast<std::int64_t>(traces) : many;
}

/// PREFIX for PREFIX.12.et; otherwise the unchanged text.
std::string prefix_of(const std::string& trace) {
    if (!trace.ends_with(".et")) return trace;
    const std::string numbered = trace.substr(0, trace.size() - 3);
    const std::size_t dot = numbered.find_last_not_of("0123456789");
    const bool is_numbered = dot != std::string::npos && dot + 1 < numbered.size() && numbered[dot] == '.';
    return is_numbered ? numbered.substr(0, dot) : trace;
}

std::string groups_file_of(const TraceArguments& arguments, const std::string& prefix) {
    if (!arguments.groups_file.empty()) return arguments.groups_file;
    const std::string beside = prefix + ".json";
    std::error_code ignored;
    return std::filesystem::is_regular_file(beside, ignored) ? beside : std::string{};
}

LoadedTraces load(const std::vector<std::string>& files, Coverage coverage, std::string groups_file) {
    std::vector<chakra::RankFaults> faults;
    chakra::TraceSet set = chakra::read_traces(files, faults);
    chakra::Groups groups{ranks_of(files.size(), coverage)};
    if (!groups_file.empty()) chakra::read_groups(groups_file, groups);
    chakra::add_declared(set.ranks, groups);
    return {std::move(set), std::move(faults), std::move(groups), coverage, std::move(groups_file)};
}

}  // namespace

void add_trace_arguments(CLI::App& app, TraceArguments& arguments) {
    app.add_option("traces", arguments.prefix, "a trace, or PREFIX for PREFIX.0.et, PREFIX.1.et, …")
        ->required()
        ->type_name("FILE|PREFIX");
    add_groups_option(app, arguments.groups_file);
}

void add_groups_option(CLI::App& app, std::string& file) {
    app.add_option("--comm-groups", file,
                   "the ranks of each pg_name: {\"1\": [0, 1], …} (default: PREFIX.json, if it exists)")
        ->type_name("FILE");
}

LoadedTraces load_traces(const TraceArguments& arguments) {
    const std::vector<std::string> files = chakra::trace_files(arguments.prefix);
    const bool is_one_file = files.size() == 1 && files.front() == arguments.prefix;
    return load(files, is_one_file ? Coverage::some_ranks : Coverage::all_ranks,
                groups_file_of(arguments, prefix_of(arguments.prefix)));
}

LoadedTraces load_readable(const TraceArguments& arguments, std::vector<std::string>& damaged) {
    try {
        return load_traces(arguments);
    } catch (const InputError&) {
        std::vector<std::string> readable;
        for (const std::string& file : chakra::trace_files(arguments.prefix)) {
            try {
                chakra::TraceFaults ignored;
                static_cast<void>(chakra::read_trace(file, ignored));
                readable.push_back(file);
            } catch (const InputError& error) {
                damaged.emplace_back(error.what());
            }
        }
        if (damaged.empty() || readable.empty()) throw;
        return load(readable, Coverage::some_ranks, groups_file_of(arguments, prefix_of(arguments.prefix)));
    }
}

std::string job_beside(const std::string& trace) {
    const std::string prefix = prefix_of(trace);
    if (prefix == trace) return {};
    std::error_code ignored;
    const auto stands = [&](int rank) {
        return std::filesystem::is_regular_file(fmt::format("{}.{}.et", prefix, rank), ignored);
    };
    return stands(0) && stands(1) ? prefix : std::string{};
}

LoadedTraces load_job(const TraceArguments& arguments, std::optional<std::size_t> ranks) {
    std::vector<std::string> files = chakra::trace_files(arguments.prefix);
    const std::size_t wanted = ranks.value_or(files.size());
    if (files.size() < wanted) {
        throw InputError(fmt::format("{} traces for {} devices: '{}.{}.et' is missing", files.size(), wanted,
                                     arguments.prefix, files.size()));
    }
    files.resize(wanted);
    return load(files, Coverage::all_ranks, groups_file_of(arguments, arguments.prefix));
}

}  // namespace dse::app
