#include "dse/graph/adapter.hpp"

#include <array>

#include "graph/require_in_range.hpp"

namespace dse::graph {

std::span<const std::string_view> choice_names(FrozenWeights) {
    static constexpr std::array<std::string_view, 2> names{"compute", "nf4"};
    return names;
}

void require_valid(const Adapter& adapter) {
    require_in_range(adapter);
}

}  // namespace dse::graph
