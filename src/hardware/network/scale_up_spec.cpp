#include "dse/hardware/network/scale_up_spec.hpp"

#include <algorithm>
#include <bit>

namespace dse::hardware {

std::int64_t ScaleUpSpec::occupied(std::int64_t devices) const {
    if (devices <= domain) return domain;
    if (segment > 0) return std::min(segment, domain);
    if (devices % domain == 0) return domain;
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(domain)));
}

BytesPerSecond ScaleUpSpec::sustained(std::int64_t members) const {
    if (!meshed || members < 2 || members >= domain) return link.sustained();
    return link.sustained() * (static_cast<double>(members - 1) / static_cast<double>(domain - 1));
}

Problems problems_of(const ScaleUpSpec& scale_up) {
    return out_of_range(scale_up);
}

}  // namespace dse::hardware
