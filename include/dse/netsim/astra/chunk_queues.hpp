#pragma once

#include <span>
#include <vector>

#include "dse/netsim/astra/plan.hpp"
#include "dse/netsim/event_queue.hpp"

namespace dse::netsim {

/// Plays the chunks of a collective through the queues of the dimensions, all members in step.
///
/// Each dimension works on so many chunks at once, first come, first served; a chunk that ends a phase joins
/// the queue of its next one. Keeps its memory between calls.
class AstraChunkQueues {
  public:
    /// \param ticks   of every phase
    /// \param active  chunks that a dimension works on at once, >= 1
    /// \returns when the last chunk has passed its last phase
    Ticks play(const AstraPlan& plan, std::span<const Ticks> ticks, std::int64_t active);

    /// Whether, in the last play, chunks of different phases joined a queue in the same tick: members may
    /// then queue them in different orders. Those of one phase come in the order of their numbers everywhere.
    [[nodiscard]] bool had_ties() const { return had_ties_; }

  private:
    /// A chunk before a phase, or in it.
    struct Chunk {
        std::int64_t number;
        std::size_t phase;
    };
    struct Queue {
        std::vector<Chunk> waiting;  ///< from `next` on
        std::size_t next{0};
        std::int64_t free{0};
        Ticks joined{-1};  ///< when the last chunk joined, and before which phase
        std::size_t phase{0};
    };

    void join(const Chunk& chunk, Ticks now);
    void work(Queue& queue, Ticks now);

    std::span<const AstraPhase> phases_;
    std::span<const Ticks> ticks_;
    std::array<Queue, AstraSystem::most_dimensions> queues_;
    EventQueue<Ticks, Chunk> ends_;  ///< of phases; those at the same tick as they began
    bool had_ties_{false};
};

}  // namespace dse::netsim
