#pragma once

#include <string>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Reads graphs of operators, one JSON object a line, compressed with gzip or not: {"nodes": [18, 45, …],
/// "edges": [[from, to], …]}, as data sets of compilers' graphs have them. Nodes are kernels without sizes,
/// whose operator class is the number.
/// \throws InputError naming file and line where one is no such graph, or has a cycle
void read_operator_lists(const std::string& path, Corpus& corpus);

/// Whether a file is called like one: "….jsonl", "….jsonl.gz".
bool is_operator_list(const std::string& path);

}  // namespace dse::synth
