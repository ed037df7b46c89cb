#include "dse/hardware/network/nccl_spec.hpp"

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
    return out_of_range(nccl);
}

}  // namespace dse::hardware
