#include "dse/hardware/host_spec.hpp"

namespace dse::hardware {

Problems problems_of(const HostSpec& host) {
    return out_of_range(host);
}

}  // namespace dse::hardware
