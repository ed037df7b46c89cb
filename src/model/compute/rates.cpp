#include "dse/model/compute/rates.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::model {
namespace {

using graph::Precision;

/// Formats that replace one that a device lacks; the first supported one is used. TF32 merely permits
/// rounding of 32-bit operands, so a device without it multiplies them in FP32. Integers of 8 bits are exact
/// in each of these formats.
std::span<const Precision> instead_of(Precision precision) {
    static constexpr std::array wider{Precision::bf16, Precision::fp16, Precision::fp32};
    if (precision == Precision::int8) return wider;
    if (precision == Precision::tf32) return std::span{wider}.last(1);
    return {};
}

}  // namespace

FlopPerSecond rate_of(const hardware::PrecisionRates& rates, graph::Precision precision) {
    switch (precision) {
        case graph::Precision::fp64:
            return rates.fp64;
        case graph::Precision::fp32:
            return rates.fp32;
        case graph::Precision::tf32:
            return rates.tf32;
        case graph::Precision::bf16:
            return rates.bf16;
        case graph::Precision::fp16:
            return rates.fp16;
        case graph::Precision::fp8:
            return rates.fp8;
        case graph::Precision::fp4:
            return rates.fp4;
        case graph::Precision::int8:
            return rates.int8;
    }
    DSE_REQUIRE(false && "a precision without a rate");
    return FlopPerSecond{};
}

FlopPerSecond reference_rate(const hardware::PrecisionRates& rates, graph::Precision precision) {
    const FlopPerSecond own = rate_of(rates, precision);
    if (own.value() > 0.0) return own;
    for (const graph::Precision wider : instead_of(precision)) {
        if (const FlopPerSecond rate = rate_of(rates, wider); rate.value() > 0.0) return rate;
    }
    return own;
}

MatmulRates::MatmulRates(const hardware::DeviceSpec& device) {
    for (std::size_t i = 0; i < rates_.size(); ++i) {
        const auto precision = static_cast<graph::Precision>(i);
        const FlopPerSecond peak = rate_of(device.peak, precision);
        // A format without a datasheet rate stays unsupported, even if a rate was measured by emulating it.
        if (!(peak.value() > 0.0)) continue;
        const FlopPerSecond largest =
            device.matmul.largest(rate_of(device.matmul.sustained, precision), peak);
        rates_[i] = largest * device.efficiency.gemm * device.matmul.in_training;
    }
    for (std::size_t i = 0; i < rates_.size(); ++i) {
        for (const graph::Precision wider : instead_of(static_cast<graph::Precision>(i))) {
            if (!(rates_[i].value() > 0.0)) rates_[i] = rates_[static_cast<std::size_t>(wider)];
        }
    }
}

FlopPerSecond MatmulRates::operator[](graph::Precision precision) const {
    const FlopPerSecond rate = rates_[static_cast<std::size_t>(precision)];
    if (rate.value() > 0.0) return rate;
    const auto names = choice_names(precision);
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
        if (rates_[i].value() > 0.0) known.push_back(names[i]);
    }
    throw ModelError(
        fmt::format("the device has no matrix unit for {} (it multiplies in {}{})",
                    names[static_cast<std::size_t>(precision)], fmt::join(known, ", "),
                    precision == Precision::bf16
                        ? "; with a precision of fewer bits, products that are not in it are in bf16"
                        : ""));
}

}  // namespace dse::model
