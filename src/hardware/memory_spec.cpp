#include "dse/hardware/memory_spec.hpp"

namespace dse::hardware {

Problems problems_of(const MemorySpec& memory) {
    Problems problems;
    problems.positive("capacity", memory.capacity, "a device needs memory");
    problems.positive("bandwidth", memory.bandwidth, "every operator moves data");
    problems.fraction("efficiency", memory.efficiency, "a share of the datasheet bandwidth");
    return problems;
}

}  // namespace dse::hardware
