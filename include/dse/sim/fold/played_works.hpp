#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/time_changes.hpp"

namespace dse::sim::fold {

/// How often each stage of a graph runs each of its works in an iteration; kept while the graph, its numbers
/// and its schedule are the same, as they are on machine after machine.
class PlayedWorks {
  public:
    void read(const graph::Graph& graph);

    /// Number of nodes that one rank of each stage runs, of all stages together.
    [[nodiscard]] double nodes() const { return nodes_; }

    /// sim::busiest_stage of the graph, if all ranks of a stage are equal.
    [[nodiscard]] std::uint32_t busiest_stage(const Durations& durations);

  private:
    struct Played {
        std::size_t work{0};
        double times{0};
        friend bool operator==(const Played&, const Played&) = default;
    };
    using Stage = std::vector<Played>;  // each work once

    void read_stage(std::size_t stage);
    [[nodiscard]] double work_of(const Stage& stage, const Durations& durations) const;

    GraphNumbers of_;
    std::uint64_t schedule_{0};  // its identity
    double nodes_{0};
    std::vector<Stage> distinct_;        // only works that take part in sim::stage_work
    std::vector<std::size_t> of_stage_;  // index into distinct_
    std::vector<double> nodes_of_;       // by stage
    std::vector<double> times_;          // by work, of one stage
    std::vector<double> work_;           // of the distinct ones
};

}  // namespace dse::sim::fold
