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
void add_groups_option(CLI::App& app, std::string& file);

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

/// Likewise, but without the files of a job that cannot be read, of which it tells.
/// \param damaged  gets what is wrong with each of those
/// \throws InputError also where none can be read
LoadedTraces load_readable(const TraceArguments& arguments, std::vector<std::string>& damaged);

/// The prefix of the job whose traces lie beside one that is called as a rank of it; empty where none do.
std::string job_beside(const std::string& trace);

/// What is there is the job: a file is one of a single rank.
/// \param ranks  of the job, where something else says how many; traces beyond them are left out
/// \throws InputError, also where there are fewer
LoadedTraces load_job(const TraceArguments& arguments, std::optional<std::size_t> ranks = {});

}  // namespace dse::app
