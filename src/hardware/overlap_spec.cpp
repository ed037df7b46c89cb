#include "dse/hardware/overlap_spec.hpp"

#include <array>

namespace dse::hardware {

std::span<const std::string_view> choice_names(OverlapRule) {
    static constexpr std::array<std::string_view, 2> names{"fixed", "measured"};
    return names;
}

Problems problems_of(const OverlapSpec& overlap) {
    Problems problems;
    problems.at_least("compute_slowdown", overlap.compute_slowdown, 1,
                      "kernels are no faster beside a collective than alone; 1: they do not notice");
    return problems;
}

}  // namespace dse::hardware
