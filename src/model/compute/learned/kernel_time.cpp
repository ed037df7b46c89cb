#include "dse/model/compute/learned/kernel_time.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::model {
namespace {

constexpr std::string_view fp8_cast = "gemm_fp8_cast";

std::string power_of(std::string_view kind) {
    return std::string{kind} + "_power";
}

/// A kind that is none of these would not be used, and predictions would be those without trees.
[[noreturn]] void refuse_unknown_kind(const hardware::TreeFile& trees) {
    std::vector<std::string> known{std::string{fp8_cast}};
    for (const std::string_view kind : choice_names(KernelKind{})) {
        known.emplace_back(kind);
        known.push_back(power_of(kind));
    }
    const auto unknown = std::ranges::find_if(
        trees.kinds(), [&](const auto& kind) { return std::ranges::find(known, kind.first) == known.end(); });
    DSE_ENSURE(unknown != trees.kinds().end());
    throw InputError(fmt::format("{}: error: '{}' is no kind of kernels{}", trees.path(), unknown->first,
                                 suggestion(unknown->first, known)));
}

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
    std::size_t used = 0;
    const auto find = [&](const std::string& name) -> const hardware::LearnedKind* {
        const auto found = kinds.find(name);
        if (found == kinds.end()) return nullptr;
        ++used;
        return &found->second;
    };
    const auto trees = [&](const std::string& name) {
        const hardware::LearnedKind* kind = find(name);
        return kind == nullptr ? nullptr : &kind->trees;
    };
    const auto names = choice_names(KernelKind{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        times_[i] = find(std::string{names[i]});
        expect_weights(static_cast<KernelKind>(i), names[i]);
        powers_[i] = trees(power_of(names[i]));
    }
    scale_and_cast_ = trees(std::string{fp8_cast});
    if (used < kinds.size()) refuse_unknown_kind(*learned_.trees);
}

void KernelTime::expect_weights(KernelKind kind, std::string_view name) const {
    const hardware::LearnedKind* learned = times_[static_cast<std::size_t>(kind)];
    if (learned == nullptr || learned->sums.empty()) return;
    Kernel any;
    any.kind = kind;
    const std::size_t costs = device_.features(any).cost_count;
    if (!learned->sums.fit(costs))
        throw InputError(
            fmt::format("{}: error: kind {} has not {} weights in each line of costs, or no line for "
                        "all other families, costs -1 (a file of another version? fit it with "
                        "analysis/dse_analysis/fit_kernels.py)",
                        learned_.trees->path(), name, costs));
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
