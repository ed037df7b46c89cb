#pragma once

#include <string>

#include "dse/synth/small_graph.hpp"
#include "dse/trace/chakra/groups.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::synth {

/// Facts about a job that its traces do not contain; 0 if unknown.
struct JobFacts {
    std::string name;
    std::int64_t batch{0};
    std::int64_t sequence{0};
};

/// Folds the traces of a job and adds them to the corpus: one graph for each different program of its ranks.
///
/// Nodes are in topological order. Blocks that occur several times in a row, with equal operators and binned
/// sizes, become one block with a count. Host nodes and metadata are dropped; nodes that wait for them wait
/// for their dependencies instead. A kernel of which only the duration is known is assumed to move bytes at 1
/// TB/s. If more than most_nodes remain, blocks are compared with coarser sizes, and finally neighbouring
/// kernels are merged.
/// \throws InputError naming the trace if it has a cycle, names an unknown group, or cannot be folded enough
void fold_job(const trace::chakra::TraceSet& traces, const trace::chakra::Groups& groups,
              const JobFacts& facts, Corpus& corpus);

}  // namespace dse::synth
