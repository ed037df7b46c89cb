#include "dse/graph/compiler_passes.hpp"

#include <array>

#include "graph/require_in_range.hpp"

namespace dse::graph {

std::span<const std::string_view> choice_names(Fusion) {
    static constexpr std::array<std::string_view, 4> names{"auto", "none", "elementwise", "full"};
    return names;
}

std::span<const std::string_view> choice_names(Fp32Products) {
    static constexpr std::array<std::string_view, 3> names{"auto", "tf32", "fp32"};
    return names;
}

void require_valid(const CompilerPasses& passes) {
    require_in_range(passes);
}

}  // namespace dse::graph
