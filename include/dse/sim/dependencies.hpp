#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dse/sim/durations.hpp"
#include "dse/sim/timeline.hpp"

namespace dse::sim {

/// One span of one of several timelines.
struct SpanRef {
    static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t timeline{0};
    std::uint32_t span{nobody};  ///< index into Timeline::spans

    [[nodiscard]] bool is_none() const { return span == nobody; }
    friend bool operator==(SpanRef, SpanRef) = default;
};

/// What each node and message of an iteration waited for: its last-arriving predecessor, according to the
/// rule in Parts. A span starts when this predecessor arrives, so that following the chain backwards leaves
/// no gaps.
class Dependencies {
  public:
    Dependencies() = default;
    /// Same as read(), with the occupants of compute streams.
    Dependencies(const graph::Graph& graph, const Durations& durations, std::span<const Timeline> timelines) {
        read(graph, durations, timelines, Occupants::kept);
    }

    /// Whether compute_stream() is needed; occupants take more memory than everything else.
    enum class Occupants : std::uint8_t { kept, left_out };

    /// Starts anew, reusing memory.
    /// \param timelines  timelines of all stages, in order, in the unit of the durations; must outlive this
    /// object
    void read(const graph::Graph& graph, const Durations& durations, std::span<const Timeline> timelines,
              Occupants occupants);

    /// What a span waited for; none if it started with the iteration. An incoming message waited for being
    /// sent.
    [[nodiscard]] SpanRef last_of(SpanRef ref) const;

    /// The same, restricted to its own stage: none for an incoming message, or for one that waits for its
    /// receiver.
    [[nodiscard]] SpanRef own_last(SpanRef ref) const;

    /// Whether a node waits for its counterpart in another stage (graph::meeting_pairs).
    [[nodiscard]] bool is_meeting(SpanRef ref) const {
        return !ref.is_none() && stages_[ref.timeline].meets == ref.span;
    }

    /// An occupant of a compute stream: a kernel, something that blocks it, or finally the barrier.
    struct Occupant {
        SpanRef who;      ///< none: the barrier
        SpanRef last;     ///< what it waited for; none if it started with the iteration
        double free{0};   ///< when the stream became free
        double ready{0};  ///< when `last` arrived: the stream waited from `free` until then
        double until{0};  ///< when the stream is free again
    };
    /// The occupants of one stage in issue order, if kept: from 0 to the end of the stage, every moment
    /// belongs to an occupant or to a wait.
    [[nodiscard]] const std::vector<Occupant>& compute_stream(std::uint32_t timeline) const {
        return stages_[timeline].occupants;
    }

    /// The span that ends last on a stage, with which it arrives at the barrier.
    [[nodiscard]] SpanRef end_of(std::uint32_t timeline) const;

    [[nodiscard]] const Span& at(SpanRef ref) const { return timelines_[ref.timeline].spans[ref.span]; }

  private:
    struct Stage {
        std::vector<std::uint32_t> last;  ///< by span: the last arrival out of its own timeline
        std::vector<Occupant> occupants;
        std::uint32_t meets{SpanRef::nobody};  ///< the node with which it may meet another stage
        std::uint32_t end{SpanRef::nobody};
    };
    class Replay;

    /// Index of one end of a message: a stage and its task.
    [[nodiscard]] std::size_t place_of(std::uint32_t stage, const graph::Task& task) const;
    [[nodiscard]] SpanRef last_of_message(SpanRef sent) const;

    const graph::Graph* graph_{nullptr};
    std::span<const Timeline> timelines_;
    Occupants occupants_{Occupants::kept};
    std::vector<Stage> stages_;  // may be longer than needed, to reuse memory
    // Spans by place_of, or nobody.
    std::vector<std::uint32_t> sent_;             // of the sender's task
    std::vector<std::uint32_t> received_before_;  // of the receiver's: what came on that lane before
};

}  // namespace dse::sim
