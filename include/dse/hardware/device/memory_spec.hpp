#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Device memory (HBM).
struct MemorySpec {
    Bytes capacity;
    BytesPerSecond bandwidth;  ///< of the datasheet, reads and writes together
    /// Share of the bandwidth that a long copy sustains.
    double efficiency{1.0};

    [[nodiscard]] BytesPerSecond sustained() const { return bandwidth * efficiency; }
};

Problems problems_of(const MemorySpec& memory);

template <class Visitor>
void describe(Visitor& v, MemorySpec& memory) {
    v.required("capacity", memory.capacity, config::positive, "memory of one device");
    v.required("bandwidth", memory.bandwidth, config::positive,
               "memory bandwidth of one device according to the datasheet");
    v.optional("efficiency", memory.efficiency, config::fraction,
               "share of the bandwidth that a long copy sustains");
    check_after_reading(v, memory);
}

}  // namespace dse::hardware
