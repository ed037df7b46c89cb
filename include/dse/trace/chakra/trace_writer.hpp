#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "dse/graph/graph.hpp"
#include "dse/trace/chakra/communicators.hpp"
#include "dse/trace/chakra/trace_file.hpp"

namespace dse::trace::chakra {

/// Version of the schema that our traces follow.
inline constexpr char schema_version[] = "1.0.0";

/// Writes the execution traces of a graph's ranks: one iteration, node by node in issue order, without
/// unrolling it in memory.
///
/// There are nodes for compute, collectives, copies, messages, and the host's launches. Ids are 1, 2, … in
/// issue order. A node depends only on lower ids: by data on the producers of its inputs, by control on the
/// previous node of its stream. docs/chakra.md describes the attributes.
class TraceWriter {
  public:
    /// \param graph    valid (graph::validate); must outlive the writer, like the other arguments
    /// \param seconds  duration of each work on its device, by WorkId; empty: unknown and not written
    TraceWriter(const graph::Graph& graph, std::span<const double> seconds,
                const Communicators& communicators);
    ~TraceWriter();

    /// \param rank  below mesh.ranks()
    /// \return number of nodes written
    /// \throws InputError if the file cannot be written, ModelError if the schedule deadlocks
    std::uint64_t write(std::int64_t rank, TraceFile& file) const;

  private:
    struct Prepared;
    const graph::Graph& graph_;
    std::span<const double> seconds_;
    const Communicators& communicators_;
    std::unique_ptr<Prepared> prepared_;
};

}  // namespace dse::trace::chakra
