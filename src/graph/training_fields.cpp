#include "dse/graph/training_fields.hpp"

#include <algorithm>
#include <array>

namespace dse::graph {

bool is_for_training(std::string_view name) {
    static constexpr auto names = std::to_array<std::string_view>({
#define DSE_TRAINING_FIELD(type, name, value, ...) #name,
#include "dse/graph/software_stack.def"
    });
    return std::ranges::find(names, name) != names.end();
}

}  // namespace dse::graph
