#include "dse/graph/serving_engine.hpp"

#include <array>

namespace dse::graph {

std::span<const std::string_view> choice_names(Scheduler) {
    static constexpr std::array<std::string_view, 3> names{"vllm", "tensorrt", "sglang"};
    return names;
}

std::span<const std::string_view> choice_names(SchedulingPolicy) {
    static constexpr std::array<std::string_view, 2> names{"fcfs", "priority"};
    return names;
}

std::span<const std::string_view> choice_names(Router) {
    static constexpr std::array<std::string_view, 4> names{"round_robin", "least_loaded", "prefix",
                                                           "session"};
    return names;
}

std::span<const std::string_view> choice_names(HostLoad) {
    static constexpr std::array<std::string_view, 2> names{"whole", "layers"};
    return names;
}

std::span<const std::string_view> choice_names(Speculation) {
    static constexpr std::array<std::string_view, 3> names{"none", "mtp", "draft"};
    return names;
}

}  // namespace dse::graph
