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
    std::string prefix;               ///< of the files: PREFIX.<rank>.et and PREFIX.json
    std::vector<std::int64_t> ranks;  ///< whose traces are written; distinct
    Compression compression{Compression::none};
    /// Called after each file with how many there are. May be empty.
    std::function<void(std::size_t done)> progress;
    /// Asked before each file whether to give up. May be empty.
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

/// The ranks of a pipeline stage run the same program: the first rank of each stage stands for all of them.
std::vector<std::int64_t> one_rank_of_each_stage(const graph::Mesh& mesh);

std::vector<std::int64_t> every_rank(const graph::Mesh& mesh);

/// Writes the traces of some ranks, and the communicators of all of them.
///
/// The first rank of each stage goes first; from its size it follows whether all others find room. The
/// communicators come last: where they are, so are the traces.
/// \param seconds  by WorkId, or empty: see TraceWriter
/// \throws InputError naming the file and the reason where one cannot be written, or how much room is
/// missing; before anything is written, where one is there that is not to be replaced
/// \throws Stopped    with every file that is there whole
ExportSummary export_traces(const graph::Graph& graph, std::span<const double> seconds,
                            const ExportOptions& options);

}  // namespace dse::trace::chakra
