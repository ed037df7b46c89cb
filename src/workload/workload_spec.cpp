#include "dse/workload/workload_spec.hpp"

namespace dse::workload {

std::span<const std::string_view> choice_names(Mode) {
    static constexpr std::array<std::string_view, 1> names{"training"};
    return names;
}

}  // namespace dse::workload
