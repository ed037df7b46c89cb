#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::frontend {

/// A set of streams of a graph, as a bit mask.
using StreamSet = std::uint64_t;
inline constexpr StreamSet every_stream = ~StreamSet{0};
inline StreamSet only(graph::StreamId stream) {
    return StreamSet{1} << stream.index();
}

/// A buffer whose lifetime is being determined (see Lifetimes).
using MemoryId = std::int32_t;
inline constexpr MemoryId no_memory = -1;

/// One array of a value of a program: when it is ready, and the memory it occupies.
struct Leaf {
    graph::ValueRef ref;     ///< in the region at `level`
    std::uint32_t level{0};  ///< nesting depth; 0: the entry's region, one more for each enclosing loop
    StreamSet streams{0};    ///< streams that may produce it
    MemoryId memory{no_memory};
};
using Leaves = std::vector<Leaf>;

}  // namespace dse::frontend
