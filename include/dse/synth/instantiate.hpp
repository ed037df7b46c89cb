#pragma once

#include "dse/graph/graph.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// The job that a small graph stands for: every one of its ranks runs it. Devices are cut into groups of
/// `near` neighbours, rings over ranks far apart, and what is left between.
///
/// What is repeated is one region for each stretch of layers that are executed equally often; iterations
/// follow each other as their last kernel does. A send goes to the next rank of the ring, and is received by
/// it; a receive waits for the oldest send before it that no other has waited for, or, where there is none,
/// is a message of its own. Memory is not modelled.
/// \param labels  of the graph
/// \param queues  one: all communication and copies share a stream
/// \pre is_valid(small); near × ring divides the devices
graph::Graph instantiate(const SmallGraph& small, const Vocabulary& labels,
                         graph::Queues queues = graph::Queues::communicator);

}  // namespace dse::synth
