#pragma once

#include <array>

#include "dse/base/units.hpp"
#include "dse/hardware/device_spec.hpp"
#include "dse/workload/precision.hpp"

namespace dse::model {

/// The rate of a number format; 0 where the device has none.
FlopPerSecond rate_of(const hardware::PrecisionRates& rates, workload::Precision precision);

/// The same, but that TF32 is fp32 where the device has none: TF32 is leave to round.
FlopPerSecond reference_rate(const hardware::PrecisionRates& rates, workload::Precision precision);

/// What matrix products sustain in long runs, by format: the measured maximum (else the peak) times the
/// efficiency of the class. TF32 on a device without it runs as fp32.
class MatmulRates {
  public:
    explicit MatmulRates(const hardware::DeviceSpec& device);

    /// \throws ModelError naming the format when the device has no unit for it
    [[nodiscard]] FlopPerSecond operator[](workload::Precision precision) const;

  private:
    std::array<FlopPerSecond, 7> rates_;
};

}  // namespace dse::model
