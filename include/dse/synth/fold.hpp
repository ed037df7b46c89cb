#pragma once

#include <string>

#include "dse/synth/small_graph.hpp"
#include "dse/trace/chakra/groups.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::synth {

/// What is known of a job beside its traces; 0 where it is not.
struct JobFacts {
    std::string name;
    std::int64_t batch{0};
    std::int64_t sequence{0};
};

/// Folds the traces of a job and adds them to the corpus: a graph for each different program of its ranks.
///
/// Nodes stand in an order of their dependencies. Blocks that stand several times in a row, by operators and
/// binned sizes, become one block and a count. Nodes of the host and metadata are left out; what waits for
/// them waits for what they wait for. A kernel of which only a duration is known has so many bytes at 1 TB/s.
/// Where most_nodes do not suffice, sizes count for less when blocks are compared, then neighbouring kernels
/// are merged.
/// \throws InputError naming the trace that has a cycle, names an unknown group, or cannot be folded so far
void fold_job(const trace::chakra::TraceSet& traces, const trace::chakra::Groups& groups,
              const JobFacts& facts, Corpus& corpus);

}  // namespace dse::synth
