#pragma once

#include <string>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Reads graphs of operators, one JSON object per line, gzip-compressed or not: {"nodes": [18, 45, …],
/// "edges": [[from, to], …]}, as in data sets of compilers' graphs. Nodes become kernels without sizes, with
/// the number as their operator class.
/// \throws InputError naming file and line if a line is not such a graph or has a cycle
void read_operator_lists(const std::string& path, Corpus& corpus);

/// Whether a file has the name of such a list: "….jsonl", "….jsonl.gz".
bool is_operator_list(const std::string& path);

}  // namespace dse::synth
