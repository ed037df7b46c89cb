#pragma once

#include <array>
#include <cstddef>

#include "dse/base/units.hpp"
#include "dse/hardware/device/cost_sums.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/model/compute/learned/kernel.hpp"

namespace dse::model {

/// Features of a kernel for the trees, in the order of analysis/dse_analysis/kernel_features.py, which is
/// used to train them: both must change together. `costs` are what the kernel would take for one part of its
/// work, in seconds, in the same order there; the trees correct their sum, with the weights of the kernel's
/// `family` (hardware::CostSums). `bare` is the logarithm of an analytical estimate, in seconds, which stands
/// for the kernel's size, and which trees without such weights correct: launch + max(compute, memory) + 0.3 ·
/// min(compute, memory). Products and experts read what the cache holds between the repetitions of a
/// measurement's loop faster, and latent decode where warps multiply takes at least the time of its serial
/// thread blocks.
struct KernelFeatures {
    static constexpr std::size_t most = hardware::TreeEnsemble::most_features;
    std::array<double, most> values{};
    std::size_t count{0};
    double bare{0.0};
    std::array<double, hardware::CostSums::most_costs> costs{};
    std::size_t cost_count{0};
    int family{0};
    /// Of experts and attention: the family of all that the same kernels run, in any library, where a file
    /// has such families (those of many devices); -1: none.
    int runner_family{-1};

    /// Makes them those of a release of hardware::TreeFile::releases(): a further feature, and families that
    /// no other release has.
    void set_release(int number);
};

/// Rates and sizes of a device that matter to kernels.
class KernelDevice {
  public:
    KernelDevice(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned);

    [[nodiscard]] KernelFeatures features(const Kernel& kernel) const;

  private:
    /// Rate of the matrix units, by format of the operands, and for products by what these were.
    [[nodiscard]] double rate(const Kernel& kernel) const;

    std::array<double, 4> rates_{};  ///< 16, 8 and 4 bits, integers of 8 [FLOP/s]
    /// Those of the largest product of each format, where one was measured: fewer bits draw less, but not by
    /// half.
    std::array<double, 4> products_{};
    double loaded_{1.0};  ///< share of them that long products of random numbers sustain
    double memory_;       ///< [B/s]
    double multiprocessors_;
    double cache_;  ///< [B]
    double cycle_;  ///< [s]
    double capability_;
    bool before_hopper_;
    bool warp_products_;
};

}  // namespace dse::model
