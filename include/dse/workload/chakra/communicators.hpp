#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "dse/workload/graph.hpp"

namespace dse::workload::chakra {

/// The communicators of a workload: every group of ranks that meets in collectives, by number.
///
/// A group that meets on two streams has two communicators, so that whoever plays the trace meets its
/// collectives in one order on all ranks, whatever runs beside them. Groups of one rank have none.
class Communicators {
  public:
    explicit Communicators(const Graph& graph);

    /// The number of the communicator over `axes` that a rank uses on a stream: 1, 2, …, or 0 where the group
    /// is the rank alone. \pre a collective of the graph is of these axes and stands on this stream, or is
    /// the barrier on its own
    [[nodiscard]] std::uint32_t of(StreamId stream, AxisSet axes, std::int64_t rank) const;

    [[nodiscard]] std::uint32_t count() const { return count_; }

    /// {"1": [0, 1, …], "2": …}, as ASTRA-sim reads it.
    void write_json(std::ostream& stream) const;

  private:
    struct Family {
        StreamId stream;
        AxisSet axes;
        std::vector<std::uint32_t> number;  ///< by rank
        std::vector<std::int64_t> leaders;  ///< first rank of each group
        std::uint32_t first{0};             ///< number of the first group
    };
    void add(const Graph& graph, StreamId stream, AxisSet axes);
    [[nodiscard]] const Family* find(StreamId stream, AxisSet axes) const;

    Mesh mesh_;
    std::vector<Family> families_;
    std::uint32_t count_{0};
};

}  // namespace dse::workload::chakra
