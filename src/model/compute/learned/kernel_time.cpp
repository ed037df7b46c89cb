#include "dse/model/compute/learned/kernel_time.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/model/compute/learned/release_order.hpp"

namespace dse::model {
namespace {

constexpr std::string_view fp8_cast = "gemm_fp8_cast";

std::string power_of(std::string_view kind) {
    return std::string{kind} + "_power";
}

std::string releases_of(std::string_view kind) {
    return std::string{kind} + "_releases";
}

/// A kind that is none of these would not be used, and predictions would be those without trees.
void require_known_kinds(const hardware::TreeFile& trees) {
    std::vector<std::string> known{std::string{fp8_cast}};
    for (const std::string_view kind : choice_names(KernelKind{})) {
        known.emplace_back(kind);
        known.push_back(releases_of(kind));
        known.push_back(power_of(kind));
    }
    const auto unknown = std::ranges::find_if(
        trees.kinds(), [&](const auto& kind) { return std::ranges::find(known, kind.first) == known.end(); });
    if (unknown == trees.kinds().end()) return;
    throw InputError(fmt::format("{}: error: '{}' is no kind of kernels{}", trees.path(), unknown->first,
                                 suggestion(unknown->first, known)));
}

/// A release of another library, or one without an order, would never be found.
void require_releases(const hardware::TreeFile& trees) {
    const auto names = choice_names(KernelLibrary{});
    const std::vector<std::string> libraries(names.begin(), names.end());
    const auto require = [&](const std::string& library, const std::string& release) {
        if (std::ranges::find(libraries, library) == libraries.end())
            throw InputError(fmt::format("{}: error: '{}' is no library of kernels{}", trees.path(), library,
                                         suggestion(library, libraries)));
        if (!is_release(release))
            throw InputError(fmt::format("{}: error: '{}' is no release (write it as 0.24.0 or 1.3.0rc20)",
                                         trees.path(), release));
    };
    for (const hardware::MeasuredRelease& each : trees.releases()) require(each.library, each.release);
    for (const auto& [name, kind] : trees.kinds())
        for (const auto& [library, release] : kind.releases) require(library, release);
}

void check_contents(const hardware::TreeFile& trees) {
    require_releases(trees);
    require_known_kinds(trees);
}

/// Beyond the largest kernel measured, a correction fades by e over a factor of four in the estimate.
double faded(double correction, double beyond) {
    return beyond > 0.0 ? correction * std::exp(-beyond / std::log(4.0)) : correction;
}

/// The family whose weights a kernel has: that of what runs it, where a file has such families.
int family_in(const hardware::CostSums& sums, const KernelFeatures& features) {
    const bool by_runner = features.runner_family >= 0 && sums.knows(features.runner_family);
    return by_runner ? features.runner_family : features.family;
}

/// Logarithm of a kernel's time [s].
double logarithm_of_time(const hardware::LearnedKind& learned, const KernelFeatures& features) {
    const double correction = faded(learned.trees(features.values), features.bare - learned.largest);
    if (learned.sums.empty()) return features.bare + correction;
    const auto costs = std::span{features.costs}.first(features.cost_count);
    return std::log(learned.sums(family_in(learned.sums, features), costs)) + correction;
}

}  // namespace

KernelTime::KernelTime(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned)
    : learned_{learned},
      device_{device, learned},
      limit_{device.power.tdp},
      memory_{device.memory.sustained()},
      empty_kernel_{device.graph_kernel_latency} {
    if (!learned_.trees) return;
    learned_.trees->check_once(check_contents);
    const auto& kinds = learned_.trees->kinds();
    const auto find = [&](const std::string& name) -> const hardware::LearnedKind* {
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
        of_releases_[i] = find(releases_of(names[i]));
        powers_[i] = trees(power_of(names[i]));
        expect_same_version(static_cast<KernelKind>(i), names[i]);
    }
    scale_and_cast_ = trees(std::string{fp8_cast});
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
    const auto expect_features = [&](const hardware::TreeEnsemble& trees, const std::string& of,
                                     std::size_t count) {
        // 0: not read from a file.
        if (trees.feature_count() == 0 || trees.feature_count() == count) return;
        refuse(fmt::format("kind {} is of {} features, not of {}", of, trees.feature_count(), count));
    };
    const auto expect = [&](const hardware::LearnedKind* learned, const std::string& of, std::size_t count) {
        if (learned == nullptr) return;
        expect_features(learned->trees, of, count);
        if (!learned->sums.empty() && !learned->sums.fit(features.cost_count))
            refuse(
                fmt::format("kind {} has not {} weights in each line of costs, or no line for all other "
                            "families, costs -1",
                            of, features.cost_count));
    };
    if (powers_[index] != nullptr) expect_features(*powers_[index], power_of(name), features.count);
    expect(times_[index], std::string{name}, features.count);
    expect(of_releases_[index], releases_of(name), features.count + 1);  // the release
}

const std::string& KernelTime::usual_release(KernelLibrary library) const {
    switch (library) {
        case KernelLibrary::trtllm:
            return learned_.releases.trtllm;
        case KernelLibrary::vllm:
            return learned_.releases.vllm;
        default:
            return learned_.releases.sglang;
    }
}

KernelFeatures KernelTime::features_in(const Edition& edition, const Kernel& kernel,
                                       const KernelFeatures& features) const {
    KernelFeatures of_release = features;
    const bool by_runner = features.runner_family >= 0;
    if (by_runner && kernel.release != edition.release) {
        // What runs them differs between releases.
        Kernel as = kernel;
        as.release = edition.release;
        of_release = device_.features(as);
    }
    if (edition.number != Edition::own) of_release.set_release(edition.number);
    return of_release;
}

KernelTime::Edition KernelTime::edition(const Kernel& kernel, const KernelFeatures& features) const {
    const auto kind = static_cast<std::size_t>(kernel.kind);
    const std::string_view library = choice_names(KernelLibrary{})[static_cast<std::size_t>(kernel.library)];
    const std::string& usual = usual_release(kernel.library);
    // A kind's own trees stand for one release of TensorRT-LLM and of vLLM.
    const hardware::LearnedKind* own = kernel.library == KernelLibrary::sglang ? nullptr : times_[kind];
    const hardware::LearnedKind* others = of_releases_[kind];
    const bool known =
        own != nullptr && (own->sums.empty() || own->sums.knows(family_in(own->sums, features)));
    std::string of_own = usual;
    if (own != nullptr) {
        if (const auto found = own->releases.find(library); found != own->releases.end())
            of_own = found->second;
    }
    const bool same = kernel.release.empty() || kernel.release == of_own;
    if (others == nullptr || (same && known)) return {of_own, own, Edition::own};

    std::vector<Edition> editions;
    if (own != nullptr) editions.push_back({of_own, own, Edition::own});
    const auto has_family = [&](const Edition& each) {
        if (each.number == Edition::own) return known;
        return others->sums.knows(family_in(others->sums, features_in(each, kernel, features)));
    };
    for (const hardware::MeasuredRelease& each : learned_.trees->releases()) {
        if (each.library == library) editions.push_back({each.release, others, each.number});
    }
    if (std::ranges::any_of(editions, has_family)) std::erase_if(editions, std::not_fn(has_family));
    if (editions.empty()) return {};
    std::vector<std::string> names;
    names.reserve(editions.size());
    for (const Edition& each : editions) names.push_back(each.release);
    return editions[nearest_release(kernel.release.empty() ? usual : kernel.release, names)];
}

std::optional<Seconds> KernelTime::time(const Kernel& kernel) const {
    const KernelFeatures features = device_.features(kernel);
    const Edition found = edition(kernel, features);
    if (found.learned == nullptr) return std::nullopt;
    return Seconds{std::exp(logarithm_of_time(*found.learned, features_in(found, kernel, features)))};
}

std::string KernelTime::release(const Kernel& kernel) const {
    return edition(kernel, device_.features(kernel)).release;
}

bool KernelTime::has_own_costs(const Kernel& kernel) const {
    const KernelFeatures features = device_.features(kernel);
    const Edition found = edition(kernel, features);
    if (found.learned == nullptr) return false;
    const hardware::CostSums& sums = found.learned->sums;
    return sums.empty() || sums.knows(family_in(sums, features_in(found, kernel, features)));
}

std::string KernelTime::unmeasured_release(KernelLibrary library) const {
    if (library != KernelLibrary::sglang || !learned_.trees) return "";
    const std::string& stated = usual_release(library);
    const std::string_view name = choice_names(KernelLibrary{})[static_cast<std::size_t>(library)];
    const auto of_library = [&](const hardware::MeasuredRelease& each) { return each.library == name; };
    const auto is_stated = [&](const hardware::MeasuredRelease& each) {
        return of_library(each) && each.release == stated;
    };
    const auto& measured = learned_.trees->releases();
    const bool stands_for_another =
        std::ranges::any_of(measured, of_library) && std::ranges::none_of(measured, is_stated);
    return stands_for_another ? stated : "";
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
