#include "dse/hardware/device/overlap_spec.hpp"

#include <array>

namespace dse::hardware {

std::span<const std::string_view> choice_names(OverlapRule) {
    static constexpr std::array<std::string_view, 2> names{"fixed", "measured"};
    return names;
}

Problems problems_of(const OverlapSpec& overlap) {
    return out_of_range(overlap);
}

}  // namespace dse::hardware
