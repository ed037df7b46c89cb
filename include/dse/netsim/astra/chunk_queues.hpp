#pragma once

#include <span>
#include <vector>

#include "dse/netsim/astra/plan.hpp"

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

  private:
    /// A chunk that ends a phase.
    struct End {
        Ticks time;
        std::int64_t order;  ///< of ends at the same tick: as they began
        std::int64_t chunk;
        std::size_t phase;
    };
    struct Waiting {
        std::int64_t chunk;
        std::size_t phase;
    };
    struct Queue {
        std::vector<Waiting> waiting;  ///< from `next` on
        std::size_t next{0};
        std::int64_t free{0};
    };

    void join(std::int64_t chunk, std::size_t phase);
    void work(Queue& queue, Ticks now);

    std::span<const AstraPhase> phases_;
    std::span<const Ticks> ticks_;
    std::array<Queue, AstraSystem::most_dimensions> queues_;
    std::vector<End> ends_;  ///< heap, earliest first
    std::int64_t begun_{0};
};

}  // namespace dse::netsim
