#pragma once

#include <string>
#include <vector>

#include "app/command.hpp"
#include "dse/synth/small_graph.hpp"

namespace dse::app::synth {

// One per subcommand.
Action declare_fit(CLI::App& app);
Action declare_sample(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_graphs(CLI::App& app);
Action declare_judge(CLI::App& app);

/// Loads graphs for training or for comparison with samples: prefixes of Chakra traces, one job each, or
/// operator graphs ("….jsonl", "….jsonl.gz"). Several ranks of a job stand for the job; its groups and
/// conditions may be named with them.
/// \param corpus  receives the graphs
void load_graphs(const std::vector<std::string>& arguments, dse::synth::Corpus& corpus);

}  // namespace dse::app::synth
