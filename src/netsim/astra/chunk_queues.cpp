#include "dse/netsim/astra/chunk_queues.hpp"

#include <algorithm>

namespace dse::netsim {
namespace {

constexpr auto later = [](const auto& a, const auto& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
};

}  // namespace

Ticks AstraChunkQueues::play(const AstraPlan& plan, std::span<const Ticks> ticks, std::int64_t active) {
    DSE_EXPECT(plan.phase_count >= 1 && ticks.size() >= plan.phase_count && active >= 1);
    // One phase: the chunks go round by round.
    if (plan.phase_count == 1) return (plan.chunks + active - 1) / active * ticks[0];
    phases_ = plan.phases();
    ticks_ = ticks;
    ends_.clear();
    begun_ = 0;
    for (Queue& queue : queues_) {
        queue.waiting.clear();
        queue.next = 0;
        queue.free = active;
    }
    for (std::int64_t chunk = 0; chunk < plan.chunks; ++chunk) join(chunk, 0);
    work(queues_[phases_[0].dimension], 0);
    Ticks now = 0;
    while (!ends_.empty()) {
        std::ranges::pop_heap(ends_, later);
        const End end = ends_.back();
        ends_.pop_back();
        now = end.time;
        Queue& left = queues_[phases_[end.phase].dimension];
        ++left.free;
        work(left, now);
        if (end.phase + 1 == phases_.size()) continue;
        join(end.chunk, end.phase + 1);
        work(queues_[phases_[end.phase + 1].dimension], now);
    }
    return now;
}

void AstraChunkQueues::join(std::int64_t chunk, std::size_t phase) {
    queues_[phases_[phase].dimension].waiting.push_back({chunk, phase});
}

void AstraChunkQueues::work(Queue& queue, Ticks now) {
    while (queue.free > 0 && queue.next < queue.waiting.size()) {
        const Waiting& chunk = queue.waiting[queue.next++];
        --queue.free;
        ends_.push_back({now + ticks_[chunk.phase], begun_++, chunk.chunk, chunk.phase});
        std::ranges::push_heap(ends_, later);
    }
}

}  // namespace dse::netsim
