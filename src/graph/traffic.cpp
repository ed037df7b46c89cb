#include "dse/graph/traffic.hpp"

#include <array>

namespace dse::graph {

std::span<const std::string_view> choice_names(Arrivals) {
    static constexpr std::array<std::string_view, 3> names{"poisson", "gamma", "fixed"};
    return names;
}

}  // namespace dse::graph
