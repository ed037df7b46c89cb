#pragma once

#include "dse/graph/graph.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Converts a small graph to a job in which every rank runs it. Devices are divided into groups of `near`
/// adjacent ranks, rings over distant ranks, and the remaining dimension in between.
///
/// Consecutive layers with equal repeats become one region, which is repeated; an iteration starts after the
/// last kernel of the previous one. A send goes to the next rank of the ring, which receives it. A receive
/// waits for the oldest earlier send that no other receive has waited for; if there is none, it is a message
/// of its own. Memory is not modelled.
/// \param labels  vocabulary of the graph
/// \param queues  one: all communication and copies share a stream
/// \pre is_valid(small); near × ring divides the number of devices
graph::Graph instantiate(const SmallGraph& small, const Vocabulary& labels,
                         graph::Queues queues = graph::Queues::communicator);

}  // namespace dse::synth
