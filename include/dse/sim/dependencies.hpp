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
    std::uint32_t span{nobody};  ///< into Timeline::spans

    [[nodiscard]] bool is_none() const { return span == nobody; }
    friend bool operator==(SpanRef, SpanRef) = default;
};

/// Whom every node and message of an iteration waited for: its last-arriving predecessor, by the rule that
/// Parts states. A span starts at the moment at which this predecessor arrives, so that going back from span
/// to span leaves no time out.
class Dependencies {
  public:
    Dependencies() = default;
    /// As read(), with the occupants of compute streams.
    Dependencies(const graph::Graph& graph, const Durations& durations, std::span<const Timeline> timelines) {
        read(graph, durations, timelines, Occupants::kept);
    }

    /// Whether compute_stream() is asked for: they take more memory than all else.
    enum class Occupants : std::uint8_t { kept, left_out };

    /// Begins anew, in the memory of the last time.
    /// \param timelines  of all stages, in order, in the durations' own unit; they must outlive what is asked
    void read(const graph::Graph& graph, const Durations& durations, std::span<const Timeline> timelines,
              Occupants occupants);

    /// Whom a span waited for; none where it started with the iteration. A message that comes in waited for
    /// itself being sent.
    [[nodiscard]] SpanRef last_of(SpanRef ref) const;

    /// The same, as far as its own stage knows: none for a message that comes in, or that waits for its
    /// receiver; and for what a kernel waited for, whose stream nobody on its stage waits for in vain.
    [[nodiscard]] SpanRef own_last(SpanRef ref) const;

    /// Whether a node waits for the one of another stage that it meets (graph::meeting_pairs).
    [[nodiscard]] bool is_meeting(SpanRef ref) const {
        return !ref.is_none() && stages_[ref.timeline].meets == ref.span;
    }

    /// What occupies a compute stream: a kernel, or what holds it; at last, the barrier.
    struct Occupant {
        SpanRef who;      ///< none: the barrier
        SpanRef last;     ///< for whom it waited; none where it started with the iteration
        double free{0};   ///< since when the stream was free
        double ready{0};  ///< when `last` arrived: the stream waited from `free` until then
        double until{0};  ///< when it is free again
    };
    /// Of one stage, in the order of issue, where occupants are kept: from 0 to the stage's end, each time is
    /// some occupant's or a wait.
    [[nodiscard]] const std::vector<Occupant>& compute_stream(std::uint32_t timeline) const {
        return stages_[timeline].occupants;
    }

    /// The span with which a stage arrives at the barrier: that of its last stream.
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

    /// Of one end of a message: a stage, and its task.
    [[nodiscard]] std::size_t place_of(std::uint32_t stage, const graph::Task& task) const;
    [[nodiscard]] SpanRef last_of_message(SpanRef sent) const;

    const graph::Graph* graph_{nullptr};
    std::span<const Timeline> timelines_;
    Occupants occupants_{Occupants::kept};
    std::vector<Stage> stages_;  // surplus is spare memory
    // Spans by place_of, or nobody.
    std::vector<std::uint32_t> sent_;             // of the sender's task
    std::vector<std::uint32_t> received_before_;  // of the receiver's: what came on that lane before
};

}  // namespace dse::sim
