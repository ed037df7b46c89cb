#pragma once

#include <array>
#include <optional>

#include "dse/base/units.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/model/compute/learned/kernel.hpp"
#include "dse/model/compute/learned/kernel_features.hpp"

namespace dse::model {

/// Time and power of single kernels by the trees of hardware::LearnedSpec: a bare form of compute, memory and
/// launch, times a factor learned from measured kernels of the same kind. Validity: sizes like those
/// measured; beyond them the factor stays that of the edge.
class KernelTime {
  public:
    KernelTime(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned);

    /// Of one call in a full queue. \returns nothing where no kernel of this kind was measured
    [[nodiscard]] std::optional<Seconds> time(const Kernel& kernel) const;
    /// Mean power of the device while the kernel runs over and over. \returns nothing where none was measured
    [[nodiscard]] std::optional<Watts> power(const Kernel& kernel) const;

  private:
    hardware::LearnedSpec learned_;
    KernelDevice device_;
    Watts limit_;
    std::array<const hardware::TreeEnsemble*, kernel_kind_count> times_{};
    std::array<const hardware::TreeEnsemble*, kernel_kind_count> powers_{};
};

}  // namespace dse::model
