#include "dse/hardware/network/collective_spec.hpp"

#include <array>

namespace dse::hardware {

std::span<const std::string_view> choice_names(DimensionOrder) {
    static constexpr std::array<std::string_view, 2> names{"ascending", "balanced"};
    return names;
}

std::span<const std::string_view> choice_names(Gathering) {
    static constexpr std::array<std::string_view, 2> names{"logarithmic", "ring"};
    return names;
}

Problems problems_of(const CollectiveSpec& collective) {
    return out_of_range(collective);
}

}  // namespace dse::hardware
