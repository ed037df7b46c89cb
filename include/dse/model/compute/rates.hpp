#pragma once

#include <array>

#include "dse/base/units.hpp"
#include "dse/graph/precision.hpp"
#include "dse/hardware/device/device_spec.hpp"

namespace dse::model {

/// The rate of a number format; 0 if the device does not support it.
FlopPerSecond rate_of(const hardware::PrecisionRates& rates, graph::Precision precision);

/// The same with substitutes for unsupported formats that are at least as accurate: fp32 for TF32; bf16, fp16
/// or fp32 for int8.
FlopPerSecond reference_rate(const hardware::PrecisionRates& rates, graph::Precision precision);

/// Sustained rates of matrix products in long runs: the measured maximum, else a share of the peak, times the
/// efficiency of the class. Unsupported TF32 and int8 are substituted as in reference_rate().
class MatmulRates {
  public:
    explicit MatmulRates(const hardware::DeviceSpec& device);

    /// \throws ModelError naming the format if the device does not support it
    [[nodiscard]] FlopPerSecond operator[](graph::Precision precision) const;

  private:
    std::array<FlopPerSecond, graph::precision_count> rates_;
};

}  // namespace dse::model
