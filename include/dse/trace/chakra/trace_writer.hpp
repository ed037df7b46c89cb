#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "dse/graph/graph.hpp"
#include "dse/trace/chakra/communicators.hpp"
#include "dse/trace/chakra/trace_file.hpp"

namespace dse::trace::chakra {

/// The schema that our traces follow.
inline constexpr char schema_version[] = "1.0.0";

/// Writes the execution traces of a graph's ranks: one iteration, node after node in issue order, never
/// unrolled in memory.
///
/// Nodes of compute, collectives, copies and messages, and of the host that launches them. Ids are 1, 2, … in
/// issue order, and a node depends on lower ones only: by data on the makers of its inputs, by control on the
/// node before it on its stream. docs/chakra.md says what every attribute means.
class TraceWriter {
  public:
    /// \param graph          valid (graph::validate); outlives the writer, as do the others
    /// \param seconds        by WorkId: what a work takes on its device; empty: unknown, and not written
    TraceWriter(const graph::Graph& graph, std::span<const double> seconds,
                const Communicators& communicators);
    ~TraceWriter();

    /// \param rank  below mesh.ranks()
    /// \return nodes written
    /// \throws InputError where the file cannot be written, ModelError where the schedule deadlocks
    std::uint64_t write(std::int64_t rank, TraceFile& file) const;

  private:
    struct Prepared;
    const graph::Graph& graph_;
    std::span<const double> seconds_;
    const Communicators& communicators_;
    std::unique_ptr<Prepared> prepared_;
};

}  // namespace dse::trace::chakra
