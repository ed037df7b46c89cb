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
    std::uint32_t last_stage{0};  ///< whose last stream ends last (the first such one)
    /// Along the critical path; none where nobody asked, or `folded` would have to list too many nodes.
    std::optional<PathParts> parts;
    /// What each stage's compute stream did until the barrier was over, on the rank that is done last (the
    /// first such one); each sums to the iteration time. Empty where nobody asked.
    std::vector<Parts> stages;
    std::uint64_t node_visits{0};  ///< nodes looked at: what the answer cost
    std::uint64_t task_visits{0};  ///< tasks of the schedule looked at
};

/// What an engine is asked for beside the time.
struct Asked {
    /// Result::stages, or Result::parts, or both.
    enum class For : std::uint8_t { time, stages, path, parts } what{For::parts};
    /// What lies before it is not counted in Result::parts: of a loop, the steps until it is steady. In the
    /// durations' own unit.
    double parts_from{0};
};

/// Turns what an engine answered into seconds. \param unit  Durations::unit
void to_seconds(Result& result, double unit);

/// Plays a graph. All engines give the same times, parts and memory, bit for bit. Memory follows from the
/// order of issue, without any time: whether a graph fits is known before it is played.
///
/// An iteration: all streams of all ranks at 0; every rank plays its stage's `update`, its tasks in schedule
/// order, `finish` (the ends together, where graph::meeting_pairs); when the last stream of the last rank
/// is done, the barrier. An engine owns its scratch memory: one engine plays any number of graphs, one at a
/// time.
class Engine {
  public:
    virtual ~Engine() = default;
    /// \param graph      valid (graph::validate)
    /// \param durations  valid for the graph
    /// \throws ModelError when the schedule deadlocks (naming who waits for what), when the iteration is
    /// longer
    ///         than sums are exact, or when the engine cannot play what the graph asks for
    virtual Result play(const graph::Graph& graph, const Durations& durations, Asked asked) = 0;
    Result play(const graph::Graph& graph, const Durations& durations) { return play(graph, durations, {}); }

    /// The times of one graph with several durations, which may take less than one after the other.
    /// \return by durations; none where they must be played by themselves, which may be all of them
    /// \throws ModelError as play()
    virtual std::vector<std::optional<Result>> play_abreast(const graph::Graph& /*graph*/,
                                                            std::span<const Durations* const> durations) {
        return std::vector<std::optional<Result>>(durations.size());
    }

    /// The fullest stage, by what its program has allocated when (docs/theory/memory.md).
    virtual MemoryPeak peak_memory(const graph::Graph& graph) = 0;

    /// \param checkpoint  called now and then by an engine whose cost grows with the ranks, in either
    /// function;
    ///                    what it throws ends the play, and the next one begins anew
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
