#include "dse/model/compute/learned/kernel_time.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace dse::model {

KernelTime::KernelTime(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned)
    : learned_{learned},
      device_{device, learned},
      limit_{device.power.tdp},
      memory_{device.memory.sustained()} {
    if (!learned_.trees) return;
    const auto& kinds = learned_.trees->kinds();
    const auto find = [&](const std::string& name) {
        const auto found = kinds.find(name);
        return found == kinds.end() ? nullptr : &found->second;
    };
    const auto names = choice_names(KernelKind{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        times_[i] = find(std::string{names[i]});
        powers_[i] = find(std::string{names[i]} + "_power");
    }
    cast_ = find("gemm_fp8_cast");
}

std::optional<Seconds> KernelTime::time(const Kernel& kernel) const {
    const hardware::TreeEnsemble* trees = times_[static_cast<std::size_t>(kernel.kind)];
    if (trees == nullptr) return std::nullopt;
    const KernelFeatures features = device_.features(kernel);
    return Seconds{std::exp(features.bare + (*trees)(features.values))};
}

Seconds KernelTime::cast_time(const Kernel& product) const {
    const bool casts = product.kind == KernelKind::gemm && product.format == OperandFormat::fp8 &&
                       product.library == KernelLibrary::trtllm;
    if (!casts || cast_ == nullptr) return Seconds{};
    // Two bytes are read for the scale, two to apply it, and one is written.
    constexpr Bytes bytes_per_element{5.0};
    const Bytes moved = bytes_per_element * (product.m * product.k);
    return Seconds{std::exp((*cast_)({}))} + moved / memory_;
}

std::optional<Watts> KernelTime::power(const Kernel& kernel) const {
    const hardware::TreeEnsemble* trees = powers_[static_cast<std::size_t>(kernel.kind)];
    if (trees == nullptr || limit_ <= Watts{}) return std::nullopt;
    const KernelFeatures features = device_.features(kernel);
    return limit_ * std::min(1.0, std::exp((*trees)(features.values)));
}

}  // namespace dse::model
