#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dse/sim/durations.hpp"
#include "dse/sim/engine.hpp"
#include "eval/stages/graph_cache.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// Computes times for the machines that are likely to be requested next, together with those of the current
/// one.
///
/// A sweep whose innermost axes belong to the system evaluates a layout on one machine after the other, in
/// the same order as it did the previous layout. Engines may simulate several machines at once in less time.
/// The result of a job does not depend on this; a wrong guess only costs time.
class Ahead {
  public:
    struct Answer {
        std::uint64_t machine{0};  ///< serial of the machine
        sim::Durations durations;
        std::optional<sim::Result> result;  ///< in s; none: it must be simulated separately
    };

    /// \param machines  must outlive this object
    explicit Ahead(const MachineCache& machines) : machines_{machines} {}

    /// The answer to a job that asks for times or paths, valid until the next call; nullptr if it must be
    /// costed and simulated separately.
    const Answer* find(const Job& job, const graph::Graph& graph, sim::Engine& engine);

    void forget();

  private:
    /// Maximum number of machines that are simulated at once.
    static constexpr std::size_t most_at_once = 16;

    void begin(const graph::Graph& graph, const GraphState& state, sim::Asked::For what);
    [[nodiscard]] const Answer* known(std::uint64_t machine) const;
    [[nodiscard]] std::vector<std::uint64_t> likely_after(std::uint64_t machine) const;
    [[nodiscard]] bool like_first(const Machine& machine) const;
    void add(const Job& job, const graph::Graph& graph, std::uint64_t machine);
    void play(const graph::Graph& graph, sim::Engine& engine, std::size_t first);

    const MachineCache& machines_;
    const graph::Graph* graph_{nullptr};
    GraphState state_;
    sim::Asked::For what_{sim::Asked::For::time};
    std::vector<std::uint64_t> asked_;   // serials of the machines requested for the current graph
    std::vector<std::uint64_t> before_;  // the same for the previous graph
    std::vector<Answer> answers_;        // the first count_ belong to the current graph
    std::size_t count_{0};
};

}  // namespace dse::eval
