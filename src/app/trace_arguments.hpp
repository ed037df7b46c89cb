#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "dse/trace/chakra/groups.hpp"
#include "dse/trace/chakra/trace_check.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::app {

/// Traces given on the command line: one file, or all ranks of a prefix.
struct TraceArguments {
    std::string prefix;
    std::string groups_file;  ///< empty: PREFIX.json if it exists, otherwise none
};
void add_trace_arguments(CLI::App& app, TraceArguments& arguments);

struct LoadedTraces {
    trace::chakra::TraceSet set;
    std::vector<trace::chakra::RankFaults> faults;
    trace::chakra::Groups groups;
    trace::chakra::Coverage coverage;
    std::string groups_file;  ///< the file that was read; empty if none was
};

/// Loads one rank of a job for a file, all ranks for a prefix.
/// \throws InputError
LoadedTraces load_traces(const TraceArguments& arguments);

/// Loads a complete job; a file is a job of a single rank.
/// \param ranks  number of ranks of the job, if known otherwise; traces beyond it are ignored
/// \throws InputError, also if there are fewer traces
LoadedTraces load_job(const TraceArguments& arguments, std::optional<std::size_t> ranks = {});

}  // namespace dse::app
