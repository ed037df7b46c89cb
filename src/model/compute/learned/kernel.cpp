#include "dse/model/compute/learned/kernel.hpp"

namespace dse::model {

std::span<const std::string_view> choice_names(ExpertLoad) {
    static constexpr std::array<std::string_view, 3> names{"balanced", "power_law_1.01", "power_law_1.2"};
    return names;
}

}  // namespace dse::model
