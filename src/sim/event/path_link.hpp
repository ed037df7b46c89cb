#pragma once

#include <memory>
#include <utility>

#include "dse/graph/graph.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim::event {

struct PathLink;
using PathLinkPtr = std::shared_ptr<PathLink>;

/// An activity that started when another one was done: a chain back to the start of the iteration. Chains
/// that nothing refers to any more are freed.
struct PathLink {
    PathLink(PathLinkPtr last, double begin, graph::WorkId what, Place where)
        : before{std::move(last)}, start{begin}, work{what}, place{where} {}
    PathLink(const PathLink&) = delete;
    PathLink& operator=(const PathLink&) = delete;
    /// Not recursive, because a long chain would overflow the stack.
    ~PathLink() {
        PathLinkPtr next = std::move(before);
        while (next && next.use_count() == 1) next = std::exchange(next->before, nullptr);
    }

    PathLinkPtr before;  ///< what it waited for longest; nullptr if it started with the iteration
    double start;
    graph::WorkId work;
    Place place;
};

}  // namespace dse::sim::event
