#include "dse/model/compute/learned/kernel_time.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace dse::model {

KernelTime::KernelTime(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned)
    : learned_{learned},
      device_{device, learned},
      limit_{device.power.tdp},
      memory_{device.memory.sustained()},
      empty_kernel_{device.graph_kernel_latency} {
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
    scale_and_cast_ = find("gemm_fp8_cast");
}

std::optional<Seconds> KernelTime::time(const Kernel& kernel) const {
    const hardware::TreeEnsemble* trees = times_[static_cast<std::size_t>(kernel.kind)];
    if (trees == nullptr) return std::nullopt;
    const KernelFeatures features = device_.features(kernel);
    return Seconds{std::exp(features.bare + (*trees)(features.values))};
}

Seconds KernelTime::cast_time(const Kernel& product) const {
    const bool narrow = product.format == OperandFormat::fp8 || product.format == OperandFormat::nvfp4;
    if (product.kind != KernelKind::gemm || !narrow) return Seconds{};
    const bool scales = product.format == OperandFormat::fp8 && product.library == KernelLibrary::trtllm;
    if (scales && scale_and_cast_ == nullptr) return Seconds{};
    const Seconds launches = scales ? Seconds{std::exp((*scale_and_cast_)({}))} : empty_kernel_;
    // Two bytes are read for the scale and two to apply it, and the result is written.
    const double bytes = (scales ? 4.0 : 2.0) + (product.format == OperandFormat::fp8 ? 1.0 : 0.5);
    return launches + Bytes{bytes} * (product.m * product.k) / memory_;
}

std::optional<Watts> KernelTime::power(const Kernel& kernel) const {
    const hardware::TreeEnsemble* trees = powers_[static_cast<std::size_t>(kernel.kind)];
    if (trees == nullptr || limit_ <= Watts{}) return std::nullopt;
    const KernelFeatures features = device_.features(kernel);
    return limit_ * std::min(1.0, std::exp((*trees)(features.values)));
}

}  // namespace dse::model
