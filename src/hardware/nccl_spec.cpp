#include "dse/hardware/nccl_spec.hpp"

#include <array>

namespace dse::hardware {

std::span<const std::string_view> choice_names(GpuGeneration) {
    static constexpr std::array<std::string_view, 5> names{"automatic", "volta", "ampere", "hopper",
                                                           "blackwell"};
    return names;
}

std::span<const std::string_view> choice_names(HostProcessor) {
    static constexpr std::array<std::string_view, 3> names{"intel", "amd", "arm"};
    return names;
}

std::span<const std::string_view> choice_names(LibraryFeature) {
    static constexpr std::array<std::string_view, 2> names{"automatic", "off"};
    return names;
}

std::span<const std::string_view> choice_names(FabricKind) {
    static constexpr std::array<std::string_view, 2> names{"uniform", "rail_optimized"};
    return names;
}

std::span<const std::string_view> choice_names(FabricReduction) {
    static constexpr std::array<std::string_view, 2> names{"none", "sharp"};
    return names;
}

Problems problems_of(const NcclSpec& nccl) {
    Problems problems;
    problems.at_least("nics", static_cast<double>(nccl.nics), 0, "NICs of a domain; 0: one a device");
    problems.not_negative("net_latency", nccl.net_latency, "a time");
    problems.not_negative("overhead", nccl.overhead, "a time");
    problems.positive("sharpness", nccl.sharpness, "an exponent; 1 adds latency and transfer time");
    problems.positive("switch_sharpness", nccl.switch_sharpness,
                      "an exponent; 1 adds latency and transfer time");
    problems.not_negative("own_copy", nccl.own_copy, "steps of a ring");
    return problems;
}

}  // namespace dse::hardware
