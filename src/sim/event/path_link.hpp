#pragma once

#include <utility>

#include "dse/graph/graph.hpp"
#include "dse/sim/path_parts.hpp"
#include "sim/event/pool.hpp"

namespace dse::sim::event {

struct PathLink;
using PathLinkPtr = PoolPtr<PathLink>;

/// An activity that started when another one was done: a chain back to the start of the iteration. Chains
/// that nothing refers to any more are freed.
struct PathLink : Pooled<PathLink> {
    PathLinkPtr before{};  ///< what it waited for longest; nullptr if it started with the iteration
    double start{0};
    graph::WorkId work;
    Place place;

    /// Not recursive, because a long chain would overflow the stack.
    void reset() {
        PathLinkPtr next = std::move(before);
        while (next && next->references == 1) next = std::exchange(next->before, nullptr);
    }
};

}  // namespace dse::sim::event
