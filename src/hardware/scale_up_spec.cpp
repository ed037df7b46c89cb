#include "dse/hardware/scale_up_spec.hpp"

#include <algorithm>
#include <bit>

namespace dse::hardware {

std::int64_t ScaleUpSpec::occupied(std::int64_t devices) const {
    if (devices <= domain) return domain;
    if (segment > 0) return std::min(segment, domain);
    if (devices % domain == 0) return domain;
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(domain)));
}

Problems problems_of(const ScaleUpSpec& scale_up) {
    Problems problems = problems_of(scale_up.link);
    problems.at_least("domain", static_cast<double>(scale_up.domain), 1,
                      "a domain holds at least one device");
    problems.at_least("segment", static_cast<double>(scale_up.segment), 0,
                      "devices of a domain; 0: all, or a power of two");
    check(scale_up.reduction, problems);
    return problems;
}

}  // namespace dse::hardware
