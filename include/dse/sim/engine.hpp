#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dse/base/factory_table.hpp"
#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/memory_peak.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim {

/// One steady training iteration, from barrier to barrier.
struct Result {
    double iteration_time{0};     ///< s
    std::uint32_t last_stage{0};  ///< the stage that finishes last (the first one of several)
    /// Breakdown along the critical path. Nothing if it was not requested, or if engine `folded` would have
    /// to list too many nodes.
    std::optional<PathParts> parts;
    /// Breakdown of each stage's compute stream up to the end of the barrier, on the stage's rank that
    /// finishes last (the first one of several). Each sums to the iteration time. Empty if not requested.
    std::vector<Parts> stages;
    std::uint64_t node_visits{0};  ///< nodes visited: the cost of the simulation
    std::uint64_t task_visits{0};  ///< tasks of the schedule visited
};

/// Results requested from an engine in addition to the time.
struct Asked {
    /// Result::stages, or Result::parts, or both.
    enum class For : std::uint8_t { time, stages, path, parts } what{For::parts};
    /// Time before which nothing is counted in Result::parts, e.g. the steps of a loop until it is steady. In
    /// the unit of the durations.
    double parts_from{0};
};

/// Converts an engine's result to seconds. \param unit  Durations::unit
void to_seconds(Result& result, double unit);

/// Simulates a graph. The times, breakdowns and memory of all engines are equal, bit for bit. Memory depends
/// on the issue order only, not on times, so that whether a graph fits is known before it is simulated.
///
/// An iteration starts with all streams of all ranks at time 0. Every rank runs its stage's `update`, its
/// tasks in schedule order, and `finish`, which some pairs of stages start together (graph::meeting_pairs).
/// The barrier follows when the last stream of the last rank is free. An engine owns its scratch memory: it
/// can simulate any number of graphs, one at a time.
class Engine {
  public:
    virtual ~Engine() = default;
    /// \param graph      valid (graph::validate)
    /// \param durations  valid for the graph
    /// \throws ModelError if the schedule deadlocks (naming what waits for what), if the iteration is longer
    ///         than `longest_time`, beyond which sums are not exact, or if the engine does not support a
    ///         feature of the graph
    virtual Result play(const graph::Graph& graph, const Durations& durations, Asked asked) = 0;
    Result play(const graph::Graph& graph, const Durations& durations) { return play(graph, durations, {}); }

    /// The results of one graph for several sets of durations, which may be faster than one play() each.
    /// \return by set of durations; nothing for sets that need a play() of their own, possibly all of them
    /// \throws ModelError as play()
    virtual std::vector<std::optional<Result>> play_abreast(const graph::Graph& /*graph*/,
                                                            std::span<const Durations* const> durations,
                                                            Asked /*asked*/) {
        return std::vector<std::optional<Result>>(durations.size());
    }

    /// The highest memory use of any stage, from the order of its program's allocations
    /// (docs/theory/memory.md).
    virtual MemoryPeak peak_memory(const graph::Graph& graph) = 0;

    /// \param checkpoint  called periodically during a simulation by engines whose cost grows with the number
    ///                    of ranks. An exception that it throws ends the simulation; the next one starts from
    ///                    the beginning
    void set_checkpoint(std::function<void()> checkpoint) { checkpoint_ = std::move(checkpoint); }

  protected:
    [[nodiscard]] const std::function<void()>& checkpoint() const { return checkpoint_; }

  private:
    std::function<void()> checkpoint_;
};

using EngineFactory = std::unique_ptr<Engine> (*)();

/// `folded`, `event`.
const FactoryTable<EngineFactory>& engines();

}  // namespace dse::sim
