#pragma once

#include <array>
#include <cstdint>

#include "dse/graph/buffer.hpp"

namespace dse::sim {

/// Bytes by MemoryKind: integers in doubles, so that sums are exact in any order.
using BytesByKind = std::array<double, graph::memory_kind_count>;

/// The stage with the highest memory peak (the first one if several), at the first moment of its peak, in
/// issue order (docs/theory/memory.md); and the largest host memory that a rank of any stage uses.
struct MemoryPeak {
    std::uint32_t stage{0};
    double total{0};
    BytesByKind by_kind{};
    double host{0};
    friend bool operator==(const MemoryPeak&, const MemoryPeak&) = default;
};

}  // namespace dse::sim
