#include "dse/hardware/device/overlap_spec.hpp"

namespace dse::hardware {

Problems problems_of(const OverlapSpec& overlap) {
    return out_of_range(overlap);
}

}  // namespace dse::hardware
