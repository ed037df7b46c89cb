#include "dse/model/compute/rates.hpp"

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::model {

FlopPerSecond rate_of(const hardware::PrecisionRates& rates, workload::Precision precision) {
    switch (precision) {
        case workload::Precision::fp64:
            return rates.fp64;
        case workload::Precision::fp32:
            return rates.fp32;
        case workload::Precision::tf32:
            return rates.tf32;
        case workload::Precision::bf16:
            return rates.bf16;
        case workload::Precision::fp16:
            return rates.fp16;
        case workload::Precision::fp8:
            return rates.fp8;
        case workload::Precision::fp4:
            return rates.fp4;
    }
    DSE_REQUIRE(false && "a precision without a rate");
    return FlopPerSecond{};
}

FlopPerSecond reference_rate(const hardware::PrecisionRates& rates, workload::Precision precision) {
    const bool lacks_tf32 = precision == workload::Precision::tf32 && !(rates.tf32.value() > 0.0);
    return rate_of(rates, lacks_tf32 ? workload::Precision::fp32 : precision);
}

MatmulRates::MatmulRates(const hardware::DeviceSpec& device) {
    for (std::size_t i = 0; i < rates_.size(); ++i) {
        const auto precision = static_cast<workload::Precision>(i);
        const FlopPerSecond peak = rate_of(device.peak, precision);
        const FlopPerSecond measured = rate_of(device.matmul.sustained, precision);
        // A format that the datasheet lacks stays unsupported, whatever was measured by emulating it.
        if (peak.value() > 0.0)
            rates_[i] = (measured.value() > 0.0 ? measured : peak) * device.efficiency.gemm *
                        device.matmul.in_training;
    }
    // TF32 is leave to round 32-bit operands: a device that cannot multiplies them as they are.
    FlopPerSecond& tf32 = rates_[static_cast<std::size_t>(workload::Precision::tf32)];
    if (!(tf32.value() > 0.0)) tf32 = rates_[static_cast<std::size_t>(workload::Precision::fp32)];
}

FlopPerSecond MatmulRates::operator[](workload::Precision precision) const {
    const FlopPerSecond rate = rates_[static_cast<std::size_t>(precision)];
    if (rate.value() > 0.0) return rate;
    throw ModelError(fmt::format("the device has no matrix unit for {}",
                                 choice_names(precision)[static_cast<std::size_t>(precision)]));
}

}  // namespace dse::model
