#pragma once

#include <array>

#include "dse/base/units.hpp"
#include "dse/graph/precision.hpp"
#include "dse/hardware/device/device_spec.hpp"

namespace dse::model {

/// The rate of a number format; 0 where the device has none.
FlopPerSecond rate_of(const hardware::PrecisionRates& rates, graph::Precision precision);

/// The same, but that where the device has none TF32 is fp32, and int8 bf16, else fp16, else fp32: products
/// that are as exact there.
FlopPerSecond reference_rate(const hardware::PrecisionRates& rates, graph::Precision precision);

/// What matrix products sustain in long runs, by format: the measured maximum (else the peak) times the
/// efficiency of the class. TF32 and int8 on a device without them run as reference_rate() has it.
class MatmulRates {
  public:
    explicit MatmulRates(const hardware::DeviceSpec& device);

    /// \throws ModelError naming the format when the device has no unit for it
    [[nodiscard]] FlopPerSecond operator[](graph::Precision precision) const;

  private:
    std::array<FlopPerSecond, graph::precision_count> rates_;
};

}  // namespace dse::model
