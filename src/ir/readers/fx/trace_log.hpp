#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dse/ir/readers/source.hpp"

namespace dse::ir::fx {

/// A record of a TORCH_TRACE log that has a payload.
struct TraceRecord {
    std::string kind;      ///< "aot_forward_graph", "exported_program"; of an artifact, its name
    std::size_t begin{0};  ///< of the payload in the log: lines that begin with a tab, or are empty
    std::size_t end{0};
};

/// Whether a text begins as such logs do: `V0728 16:17:28.145000 60448 torch/…py:1931] {…}`.
bool is_trace_log(std::string_view text);

/// All records with a payload, in order. \throws InputError at a line that is no record
std::vector<TraceRecord> read_trace_log(const Source& source);

/// Those that hold the graphs of a step: of AOTAutograd where it made any, else what was exported, else what
/// Dynamo made.
std::vector<TraceRecord> graphs_of(const std::vector<TraceRecord>& records);

}  // namespace dse::ir::fx
