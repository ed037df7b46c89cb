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

/// Times on the machines that are likely to be asked for next, found beside those of the one in hand.
///
/// A sweep whose innermost axes are of the system asks for a layout on one machine after the other: on those
/// that it has asked for with the layout before, in their order. Engines may play several at once in less
/// time. What a job is answered is what it would be by itself; a wrong guess costs time alone.
class Ahead {
  public:
    struct Answer {
        std::uint64_t machine{0};  ///< its serial
        sim::Durations durations;
        std::optional<sim::Result> result;  ///< without parts, s; none: it must be played by itself
    };

    /// \param machines  outlives this
    explicit Ahead(const MachineCache& machines) : machines_{machines} {}

    /// The answer to a job, valid until the next call; nullptr where it must be costed and played by itself.
    const Answer* find(const Job& job, const graph::Graph& graph, sim::Engine& engine);

    void forget();

  private:
    /// Numbers of abreast evaluations are small.
    static constexpr std::size_t most_at_once = 16;

    void begin(const graph::Graph& graph, const GraphState& state);
    [[nodiscard]] const Answer* known(std::uint64_t machine) const;
    [[nodiscard]] std::vector<std::uint64_t> likely_after(std::uint64_t machine) const;
    void add(const Job& job, const graph::Graph& graph, std::uint64_t machine);
    void play(const graph::Graph& graph, sim::Engine& engine, std::size_t first);

    const MachineCache& machines_;
    const graph::Graph* graph_{nullptr};
    GraphState state_;
    std::vector<std::uint64_t> asked_;   // serials of machines, for the graph in hand
    std::vector<std::uint64_t> before_;  // likewise for the one before
    std::vector<Answer> answers_;        // of which so many are of the graph in hand
    std::size_t count_{0};
};

}  // namespace dse::eval
