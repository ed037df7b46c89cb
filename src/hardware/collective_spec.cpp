#include "dse/hardware/collective_spec.hpp"

#include <array>

namespace dse::hardware {

std::span<const std::string_view> choice_names(DimensionOrder) {
    static constexpr std::array<std::string_view, 2> names{"ascending", "balanced"};
    return names;
}

Problems problems_of(const CollectiveSpec& collective) {
    Problems problems;
    problems.not_negative("launch", collective.launch, "a time");
    problems.not_negative("message_launch", collective.message_launch, "a time");
    problems.positive("sharpness", collective.sharpness, "an exponent; 1 adds latency and transfer time");
    problems.share("phase_overlap", collective.phase_overlap, "a share of the shorter phase");
    problems.at_least("chunks", static_cast<double>(collective.chunks), 1, "a collective is at least one");
    return problems;
}

}  // namespace dse::hardware
