#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::trace::chakra {

/// The communicators of a workload: every group of ranks that meets in collectives, numbered.
///
/// A group that meets on two streams has two communicators, so that a replay of the trace runs the
/// collectives of each in the same order on all ranks, whatever runs concurrently. Groups of one rank have no
/// communicator.
class Communicators {
  public:
    explicit Communicators(const graph::Graph& graph);

    /// Number of the communicator that a rank uses for a collective on a stream: 1, 2, …, or 0 if the group
    /// has no other member.
    /// \pre the graph has a collective over these ranks on this stream, or it is its barrier
    [[nodiscard]] std::uint32_t of(graph::StreamId stream, const graph::Collective& collective,
                                   std::int64_t rank) const;

    [[nodiscard]] std::uint32_t count() const { return count_; }

    /// Writes {"1": [0, 1, …], "2": …}, the format that ASTRA-sim reads.
    void write_json(std::ostream& stream) const;

  private:
    struct Family {
        graph::StreamId stream;
        graph::AxisSet axes;
        graph::Members members{graph::Members::all};
        std::vector<std::uint32_t> number;  ///< by rank
        std::vector<std::int64_t> leaders;  ///< first rank of each group
        std::uint32_t first{0};             ///< number of the first group
    };
    void add(graph::StreamId stream, const graph::Collective& collective);
    [[nodiscard]] const Family* find(graph::StreamId stream, const graph::Collective& collective) const;
    [[nodiscard]] std::vector<std::int64_t> group(const Family& family, std::int64_t rank) const;

    graph::Mesh mesh_;
    std::vector<Family> families_;
    std::uint32_t count_{0};
};

}  // namespace dse::trace::chakra
