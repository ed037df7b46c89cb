#pragma once

#include "app/json_output.hpp"
#include "dse/synth/small_graph.hpp"

namespace dse::app::synth {

/// A line of a list of graphs: the operators of its nodes, edges, volumes and counts, and its devices.
Json graph_line(const dse::synth::SmallGraph& graph, const dse::synth::Vocabulary& labels);

}  // namespace dse::app::synth
