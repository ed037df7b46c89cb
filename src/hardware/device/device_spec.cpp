#include "dse/hardware/device/device_spec.hpp"

#include <algorithm>

namespace dse::hardware {

Problems problems_of(const DeviceSpec& device) {
    Problems problems = out_of_range(device);
    problems.nest("peak", problems_of(device.peak));
    const PrecisionRates& peak = device.peak;
    const FlopPerSecond fastest =
        std::max({peak.fp64, peak.fp32, peak.tf32, peak.bf16, peak.fp16, peak.fp8, peak.fp4, peak.int8});
    problems.expect(fastest > FlopPerSecond{}, "peak", "no rate at all (a device computes in some format)");
    problems.nest("memory", problems_of(device.memory));
    problems.nest("matmul", problems_of(device.matmul));
    problems.nest("systolic", problems_of(device.systolic));
    problems.nest("attention", problems_of(device.attention));
    problems.nest("efficiency", problems_of(device.efficiency));
    problems.nest("overlap", problems_of(device.overlap));
    problems.nest("power", problems_of(device.power));
    return problems;
}

Problems misstatements_of(const DeviceSpec& device) {
    Problems problems;
    const PrecisionRates& sustained = device.matmul.sustained;
    const PrecisionRates& peak = device.peak;
    const auto expect = [&](FlopPerSecond PrecisionRates::*format, const char* key) {
        problems.expect(!(peak.*format > FlopPerSecond{}) || sustained.*format <= peak.*format, key,
                        "more than the peak of this format (peaks are dense, without sparsity; a file that "
                        "states another peak than its base also states what its products sustain)");
    };
    expect(&PrecisionRates::fp64, "matmul.sustained.fp64");
    expect(&PrecisionRates::fp32, "matmul.sustained.fp32");
    expect(&PrecisionRates::tf32, "matmul.sustained.tf32");
    expect(&PrecisionRates::bf16, "matmul.sustained.bf16");
    expect(&PrecisionRates::fp16, "matmul.sustained.fp16");
    expect(&PrecisionRates::fp8, "matmul.sustained.fp8");
    expect(&PrecisionRates::fp4, "matmul.sustained.fp4");
    expect(&PrecisionRates::int8, "matmul.sustained.int8");
    return problems;
}

}  // namespace dse::hardware
