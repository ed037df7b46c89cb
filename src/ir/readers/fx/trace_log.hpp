#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dse/ir/readers/source.hpp"

namespace dse::ir::fx {

/// A record of a TORCH_TRACE log with a payload.
struct TraceRecord {
    std::string kind;      ///< "aot_forward_graph", "exported_program"; for an artifact, its name
    std::size_t begin{0};  ///< of the payload in the log: lines that start with a tab or are empty
    std::size_t end{0};
};

/// Whether a text starts like such a log: `V0728 16:17:28.145000 60448 torch/…py:1931] {…}`.
bool is_trace_log(std::string_view text);

/// All records with a payload, in order. \throws InputError at a line that is not a record
std::vector<TraceRecord> read_trace_log(const Source& source);

/// The records with the graphs of a step: AOTAutograd's if there are any, else the exported ones, else
/// Dynamo's.
std::vector<TraceRecord> graphs_of(const std::vector<TraceRecord>& records);

}  // namespace dse::ir::fx
