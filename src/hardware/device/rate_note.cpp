#include "dse/hardware/device/rate_note.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace dse::hardware {

namespace {

/// What to know of a sustained rate that contradicts the peak of its format: the one of a base, mostly, of
/// whose rates only the other was changed. Empty if they go together.
std::string contradiction_of(const DeviceSpec& device) {
    struct Format {
        const char* name;
        FlopPerSecond PrecisionRates::*rate;
    };
    constexpr std::array formats{Format{"bf16", &PrecisionRates::bf16}, Format{"fp16", &PrecisionRates::fp16},
                                 Format{"fp8", &PrecisionRates::fp8}, Format{"fp4", &PrecisionRates::fp4},
                                 Format{"int8", &PrecisionRates::int8}};
    // Of the devices that dse describes, MI355X's relatives sustain the least, Gaudi 2 and TPUs the most.
    constexpr double least = 0.4;
    for (const Format& format : formats) {
        const double peak = (device.peak.*format.rate).value();
        const double sustained = (device.matmul.sustained.*format.rate).value();
        if (peak <= 0.0 || sustained <= 0.0 || (sustained >= least * peak && sustained <= peak)) continue;
        return fmt::format(
            "{}: matmul.sustained.{}, {:g} TFLOP/s, is {:.3g} times peak.{}, {:g} TFLOP/s; measured devices "
            "sustain 0.4 to 1 of their peak, and products take their time from the sustained rate (state "
            "both of one chip)",
            device.name, format.name, sustained / 1e12, sustained / peak, format.name, peak / 1e12);
    }
    return "";
}

}  // namespace

std::string rate_note(const DeviceSpec& device) {
    if (std::string note = contradiction_of(device); !note.empty()) return note;
    const PrecisionRates& rates = device.matmul.sustained;
    const FlopPerSecond fastest = std::max(
        {rates.fp64, rates.fp32, rates.tf32, rates.bf16, rates.fp16, rates.fp8, rates.fp4, rates.int8});
    if (fastest > FlopPerSecond{} || device.matmul.peak_share < 1.0) return "";
    // 50 to 90 %: most of the devices that dse describes, by their fastest measured products.
    return fmt::format(
        "{} states no matmul.sustained: its matrix products run at their peak, of which measured devices "
        "sustain 50 to 90 %, so its times are lower bounds; with base: typical_gpu, it is as fast as "
        "measured GPUs are on average",
        device.name);
}

std::string latency_note(const DeviceSpec& device) {
    if (device.kernel_latency > Seconds{}) return "";
    return fmt::format(
        "{} states no kernel_latency: its kernels take no latency, so short steps are lower bounds",
        device.name);
}

}  // namespace dse::hardware
