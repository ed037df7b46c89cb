#pragma once

#include <string>

#include "app/command.hpp"
#include "dse/workload/chakra/groups.hpp"
#include "dse/workload/chakra/trace_check.hpp"
#include "dse/workload/chakra/trace_set.hpp"

namespace dse::app::et {

/// Traces as the commands take them: one file, or all ranks of a prefix.
struct TraceArguments {
    std::string prefix;
    std::string groups_file;  ///< empty: PREFIX.json where it is there, else none
};
void add_trace_arguments(CLI::App& app, TraceArguments& arguments);

struct LoadedTraces {
    workload::chakra::TraceSet set;
    std::vector<workload::chakra::RankFaults> faults;
    workload::chakra::Groups groups;
    workload::chakra::Coverage coverage;
    std::string groups_file;  ///< the one that was read; empty where none was
};
/// \throws InputError
LoadedTraces load(const TraceArguments& arguments);

// One for each subcommand.
Action declare_info(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_diff(CLI::App& app);
Action declare_json(CLI::App& app);
Action declare_kineto(CLI::App& app);
Action declare_repair(CLI::App& app);

}  // namespace dse::app::et
