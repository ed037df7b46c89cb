#include "serving/pipeline.hpp"

#include <algorithm>

namespace dse::serving {

Ticks Pipeline::pass(Ticks start, Ticks alone) {
    const auto stages = static_cast<Ticks>(free_.size());
    Ticks now = start;
    Ticks left = alone;
    for (Ticks stage = 0; stage < stages; ++stage) {
        // The parts add up to the whole, to the tick.
        const Ticks part = left / (stages - stage);
        left -= part;
        Ticks& free = free_[static_cast<std::size_t>(stage)];
        now = free = std::max(now, free) + part;
    }
    return now - start;
}

}  // namespace dse::serving
