#include "dse/netsim/astra/chunk_queues.hpp"

#include "dse/base/checkpoint.hpp"

namespace dse::netsim {

Ticks AstraChunkQueues::play(const AstraPlan& plan, std::span<const Ticks> ticks, std::int64_t active) {
    DSE_EXPECT(plan.phase_count >= 1 && ticks.size() >= plan.phase_count && active >= 1);
    had_ties_ = false;
    // With one phase, the chunks are processed in rounds of `active`.
    if (plan.phase_count == 1) return (plan.chunks + active - 1) / active * ticks[0];
    phases_ = plan.phases();
    ticks_ = ticks;
    ends_.clear();
    for (Queue& queue : queues_) {
        queue.waiting.clear();
        queue.next = 0;
        queue.free = active;
        queue.joined = -1;
    }
    for (std::int64_t chunk = 0; chunk < plan.chunks; ++chunk) join({chunk, 0}, 0);
    work(queues_[phases_[0].dimension], 0);
    Ticks now = 0;
    while (!ends_.empty()) {
        checkpoint(1);
        const auto [time, order, chunk] = ends_.pop();
        now = time;
        Queue& left = queues_[phases_[chunk.phase].dimension];
        ++left.free;
        work(left, now);
        if (chunk.phase + 1 == phases_.size()) continue;
        join({chunk.number, chunk.phase + 1}, now);
        work(queues_[phases_[chunk.phase + 1].dimension], now);
    }
    return now;
}

void AstraChunkQueues::join(const Chunk& chunk, Ticks now) {
    Queue& queue = queues_[phases_[chunk.phase].dimension];
    had_ties_ = had_ties_ || (queue.joined == now && queue.phase != chunk.phase);
    queue.joined = now;
    queue.phase = chunk.phase;
    queue.waiting.push_back(chunk);
}

void AstraChunkQueues::work(Queue& queue, Ticks now) {
    while (queue.free > 0 && queue.next < queue.waiting.size()) {
        const Chunk& chunk = queue.waiting[queue.next++];
        --queue.free;
        ends_.push(now + ticks_[chunk.phase], chunk);
    }
}

}  // namespace dse::netsim
