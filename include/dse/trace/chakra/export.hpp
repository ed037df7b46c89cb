#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/trace/chakra/trace_file.hpp"

namespace dse::trace::chakra {

struct ExportOptions {
    std::string prefix;               ///< of the file names: PREFIX.<rank>.et and PREFIX.json
    std::vector<std::int64_t> ranks;  ///< ranks whose traces are written; distinct
    Compression compression{Compression::none};
    /// Called after each file with the number of files written so far. May be empty.
    std::function<void(std::size_t done)> progress;
    /// Called before each file; true cancels the export. May be empty.
    std::function<bool()> stopped{};
    Existing existing{Existing::replace};
};

struct ExportSummary {
    std::size_t files{0};  ///< traces
    std::uint64_t nodes{0};
    std::uint64_t bytes{0};  ///< of the traces, on disk
    std::uint32_t communicators{0};
    std::string communicator_file;
};

/// The first rank of each pipeline stage, which represents the stage: all its ranks run the same program.
std::vector<std::int64_t> one_rank_of_each_stage(const graph::Mesh& mesh);

std::vector<std::int64_t> every_rank(const graph::Mesh& mesh);

/// Writes the traces of some ranks, and the communicators of all of them.
///
/// The first rank of each stage is written first; from its size follows whether there is room for the others.
/// The communicators are written last: if their file exists, so do all traces.
/// \param seconds  by WorkId, or empty; see TraceWriter
/// \throws InputError naming the file and the reason if one cannot be written, or how much disk space is
///         missing; also, before anything is written, if a file exists that must not be replaced
/// \throws Stopped if cancelled; every file that exists is then complete
ExportSummary export_traces(const graph::Graph& graph, std::span<const double> seconds,
                            const ExportOptions& options);

}  // namespace dse::trace::chakra
