#include "dse/hardware/network/scale_out_spec.hpp"

namespace dse::hardware {

Problems problems_of(const ScaleOutSpec& scale_out) {
    return out_of_range(scale_out);
}

}  // namespace dse::hardware
