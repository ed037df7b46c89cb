#include "dse/hardware/precision_rates.hpp"

namespace dse::hardware {

Problems problems_of(const PrecisionRates& rates) {
    Problems problems;
    constexpr const char* why = "a rate is a speed; leave a format out that the device lacks";
    problems.not_negative("fp64", rates.fp64, why);
    problems.not_negative("fp32", rates.fp32, why);
    problems.not_negative("tf32", rates.tf32, why);
    problems.not_negative("bf16", rates.bf16, why);
    problems.not_negative("fp16", rates.fp16, why);
    problems.not_negative("fp8", rates.fp8, why);
    problems.not_negative("fp4", rates.fp4, why);
    problems.not_negative("int8", rates.int8, why);
    return problems;
}

}  // namespace dse::hardware
