#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Dense (not sparse) rates by number format. 0: the device has no units for this format.
struct PrecisionRates {
    FlopPerSecond fp64;
    FlopPerSecond fp32;
    FlopPerSecond tf32;
    FlopPerSecond bf16;
    FlopPerSecond fp16;
    FlopPerSecond fp8;
    FlopPerSecond fp4;
    FlopPerSecond int8;  ///< operations, 2 per multiply-add; 0: such products run at the 16-bit rate
};

Problems problems_of(const PrecisionRates& rates);

template <class Visitor>
void describe(Visitor& v, PrecisionRates& rates) {
    v.optional("fp64", rates.fp64, config::not_negative, "64-bit IEEE floating point");
    v.optional("fp32", rates.fp32, config::not_negative, "32-bit IEEE floating point, on the vector units");
    v.optional("tf32", rates.tf32, config::not_negative,
               "32-bit storage, 10-bit mantissa, on the matrix units");
    v.optional("bf16", rates.bf16, config::not_negative, "16-bit, 8-bit exponent");
    v.optional("fp16", rates.fp16, config::not_negative, "16-bit IEEE floating point");
    v.optional("fp8", rates.fp8, config::not_negative, "8-bit floating point, either split");
    v.optional("fp4", rates.fp4, config::not_negative, "4-bit floating point with block scales");
    v.optional("int8", rates.int8, config::not_negative,
               "8-bit integers; by default the rate of bf16, else fp16, else fp32");
    check_after_reading(v, rates);
}

}  // namespace dse::hardware
