#include "dse/hardware/device/attention_spec.hpp"

namespace dse::hardware {

Problems problems_of(const AttentionSpec& attention) {
    return out_of_range(attention);
}

}  // namespace dse::hardware
