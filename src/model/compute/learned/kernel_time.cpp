#include "dse/model/compute/learned/kernel_time.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::model {
namespace {

/// Beyond the largest kernel measured, a correction fades by e over a factor of four in the estimate.
double faded(double correction, double beyond) {
    return beyond > 0.0 ? correction * std::exp(-beyond / std::log(4.0)) : correction;
}

/// Logarithm of a kernel's time [s].
double logarithm_of_time(const hardware::LearnedKind& learned, const KernelFeatures& features) {
    const double correction = faded(learned.trees(features.values), features.bare - learned.largest);
    if (learned.sums.empty()) return features.bare + correction;
    const auto costs = std::span{features.costs}.first(features.cost_count);
    return std::log(learned.sums(features.family, costs)) + correction;
}

}  // namespace

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
    const auto trees = [&](const std::string& name) {
        const hardware::LearnedKind* kind = find(name);
        return kind == nullptr ? nullptr : &kind->trees;
    };
    const auto names = choice_names(KernelKind{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        times_[i] = find(std::string{names[i]});
        powers_[i] = trees(std::string{names[i]} + "_power");
        expect_same_version(static_cast<KernelKind>(i), names[i]);
    }
    scale_and_cast_ = trees("gemm_fp8_cast");
}

void KernelTime::expect_same_version(KernelKind kind, std::string_view name) const {
    const auto index = static_cast<std::size_t>(kind);
    Kernel any;
    any.kind = kind;
    const KernelFeatures features = device_.features(any);
    const auto refuse = [&](const std::string& difference) {
        throw InputError(
            fmt::format("{}: error: {} (a file of another version? fit it with analysis/dse_analysis/"
                        "fit_kernels.py)",
                        learned_.trees->path(), difference));
    };
    const auto expect_features = [&](const hardware::TreeEnsemble* trees, const char* suffix) {
        // 0: not read from a file.
        if (trees == nullptr || trees->feature_count() == 0 || trees->feature_count() == features.count)
            return;
        refuse(fmt::format("kind {}{} is of {} features, not of {}", name, suffix, trees->feature_count(),
                           features.count));
    };
    expect_features(powers_[index], "_power");
    const hardware::LearnedKind* learned = times_[index];
    if (learned == nullptr) return;
    expect_features(&learned->trees, "");
    if (!learned->sums.empty() && !learned->sums.fit(features.cost_count))
        refuse(
            fmt::format("kind {} has not {} weights in each line of costs, or no line for all other "
                        "families, costs -1",
                        name, features.cost_count));
}

std::optional<Seconds> KernelTime::time(const Kernel& kernel) const {
    const hardware::LearnedKind* learned = times_[static_cast<std::size_t>(kernel.kind)];
    if (learned == nullptr) return std::nullopt;
    return Seconds{std::exp(logarithm_of_time(*learned, device_.features(kernel)))};
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
