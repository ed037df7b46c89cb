#pragma once

#include <string>
#include <vector>

#include "app/command.hpp"
#include "dse/synth/small_graph.hpp"

namespace dse::app::synth {

// One for each subcommand.
Action declare_fit(CLI::App& app);
Action declare_sample(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_graphs(CLI::App& app);
Action declare_judge(CLI::App& app);

/// Graphs to learn from or to hold samples against: PREFIX of Chakra traces, each a job, or graphs of
/// operators ("….jsonl", "….jsonl.gz").
/// \param corpus  is added to
void load_graphs(const std::vector<std::string>& arguments, dse::synth::Corpus& corpus);

}  // namespace dse::app::synth
