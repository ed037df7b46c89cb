#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::frontend {

/// Streams of a graph, as bits.
using StreamSet = std::uint64_t;
inline constexpr StreamSet every_stream = ~StreamSet{0};
inline StreamSet only(graph::StreamId stream) {
    return StreamSet{1} << stream.index();
}

/// A buffer in the making (see Lifetimes).
using MemoryId = std::int32_t;
inline constexpr MemoryId no_memory = -1;

/// One array of a value of a program: when it is there, and where it lies.
struct Leaf {
    graph::ValueRef ref;     ///< in the region at `level`
    std::uint32_t level{0};  ///< 0: the entry's region; a loop's body is one deeper than what it stands in
    StreamSet streams{0};    ///< that may make it
    MemoryId memory{no_memory};
};
using Leaves = std::vector<Leaf>;

}  // namespace dse::frontend
