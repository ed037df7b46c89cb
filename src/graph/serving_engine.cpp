#include "dse/graph/serving_engine.hpp"

#include <array>

namespace dse::graph {

std::span<const std::string_view> choice_names(Scheduler) {
    static constexpr std::array<std::string_view, 2> names{"vllm", "tensorrt"};
    return names;
}

std::span<const std::string_view> choice_names(Speculation) {
    static constexpr std::array<std::string_view, 1> names{"none"};
    return names;
}

}  // namespace dse::graph
