#include "dse/hardware/device/rate_note.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dse::hardware {

std::string rate_note(const DeviceSpec& device) {
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
