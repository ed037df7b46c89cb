#pragma once

#include <memory>
#include <utility>

#include "dse/graph/graph.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim::event {

struct PathLink;
using PathLinkPtr = std::shared_ptr<PathLink>;

/// Something that began when another thing was done: the chain behind it leads to the iteration's start.
/// Chains that nobody can come from any more are gone.
struct PathLink {
    PathLink(PathLinkPtr last, double begin, graph::WorkId what, Place where)
        : before{std::move(last)}, start{begin}, work{what}, place{where} {}
    PathLink(const PathLink&) = delete;
    PathLink& operator=(const PathLink&) = delete;
    /// Chains are longer than the stack is deep.
    ~PathLink() {
        PathLinkPtr next = std::move(before);
        while (next && next.use_count() == 1) next = std::exchange(next->before, nullptr);
    }

    PathLinkPtr before;  ///< what it waited for longest; nullptr where it began with the iteration
    double start;
    graph::WorkId work;
    Place place;
};

}  // namespace dse::sim::event
