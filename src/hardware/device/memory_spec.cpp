#include "dse/hardware/device/memory_spec.hpp"

namespace dse::hardware {

Problems problems_of(const MemorySpec& memory) {
    return out_of_range(memory);
}

}  // namespace dse::hardware
