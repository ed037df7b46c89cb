#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/device/precision_rates.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// How the time of a matrix product deviates from the roofline. With rate P, memory bandwidth W and
/// F = 2·B·M·N·K:
///
///     t = latency + ((F/P · (1 + area/(B·M·N)) · (1 + depth/K))^sharpness +
///     (bytes/W)^sharpness)^(1/sharpness)
///
/// With the defaults it is a plain roofline at the peak rate. Factors below qualify area and depth.
/// Source: a fit to public GEMM tables (Vidur, XLA); 4 to 7 % error on unseen shapes.
struct MatmulSpec {
    /// Sustained rate on large square products ("maximum achievable matmul FLOPS"). 0: see peak_share.
    PrecisionRates sustained;
    /// Share of the peak that they sustain in formats for which `sustained` states no rate. Below 1 for chips
    /// of which only a datasheet is known: what measured chips sustain (devices/bases/typical_gpu.yaml).
    double peak_share{1.0};
    /// Share of that rate sustained in a training run: clocks under load, power caps. It does not show in
    /// tables of single products.
    double in_training{1.0};
    /// Standard deviation, over devices of this kind, of the time that they take for the same product,
    /// relative to its mean. A job waits for the slowest of its devices (hardware::slowest_of).
    double variation{0.0};
    /// The same over scale-up domains (slices of TPUs), by which devices of one domain differ together from
    /// those of another. A job waits for the slowest of its domains.
    double domain_variation{0.0};
    /// Number of output elements B·M·N at which tile and wave quantization double the time.
    double area{0.0};
    /// Inner dimension K at which prologue and epilogue double the time.
    double depth{0.0};
    /// Exponent that joins compute and memory time. 0: the larger of the two.
    double sharpness{0.0};
    /// Share of the sustained memory bandwidth reached for operands and results of a product.
    double memory_efficiency{1.0};
    /// Share of that for products with one matrix each, not several experts'.
    double plain_memory_efficiency{1.0};
    /// Factor on area and depth for formats narrower than 16 bits, whose tiles finish sooner.
    double narrow_factor{1.0};
    /// The same for formats wider than 16 bits, whose products need fewer outputs to fill the device.
    double wide_factor{1.0};
    /// Inner dimension beyond which 16-bit products with few outputs are split along it (split-K), so that
    /// the part of the time that `area` adds grows no further. 0: never split.
    double split_depth{0.0};
    /// Number of outputs below which products are split along the inner dimension until they fill the device,
    /// so that what `area` adds grows no further: area over outputs is at most area/split_outputs. 0: as many
    /// outputs as there are.
    double split_outputs{0.0};
    /// Share of the rate for 16-bit operands if N or K is odd (a vocabulary that is not padded): rows are
    /// then not aligned to four bytes, and kernels read single elements.
    double odd_rate{1.0};

    /// Rate of the largest products in a format.
    /// \param measured  `sustained` of the format,
    /// \param peak  the device's
    [[nodiscard]] FlopPerSecond largest(FlopPerSecond measured, FlopPerSecond peak) const {
        return measured > FlopPerSecond{} ? measured : peak * peak_share;
    }
};

Problems problems_of(const MatmulSpec& matmul);

template <class Visitor>
void describe(Visitor& v, MatmulSpec& matmul) {
    v.optional_section("sustained", matmul.sustained, "measured maximum rates");
    v.optional("peak_share", matmul.peak_share, config::fraction,
               "share of the peak in formats without a measured rate");
    v.optional("in_training", matmul.in_training, config::fraction,
               "share of the rate sustained in a training run");
    v.optional("variation", matmul.variation, config::between(0, 0.5),
               "standard deviation of product times over devices; jobs wait for the slowest device");
    v.optional("domain_variation", matmul.domain_variation, config::between(0, 0.5),
               "the same over scale-up domains (slices of TPUs); jobs wait for the slowest domain");
    v.optional("area", matmul.area, config::not_negative,
               "number of output elements at which tile quantization doubles the time");
    v.optional("depth", matmul.depth, config::not_negative,
               "inner dimension at which prologue and epilogue double the time");
    v.optional("sharpness", matmul.sharpness, config::not_negative,
               "exponent that joins compute and memory time; 0: the larger of the two");
    v.optional("memory_efficiency", matmul.memory_efficiency, config::fraction,
               "share of the sustained memory bandwidth");
    v.optional("plain_memory_efficiency", matmul.plain_memory_efficiency, config::fraction,
               "share of that for products with one matrix each");
    v.optional("narrow_factor", matmul.narrow_factor, config::positive,
               "factor on area and depth below 16 bits");
    v.optional("wide_factor", matmul.wide_factor, config::positive, "factor on area and depth above 16 bits");
    v.optional("split_depth", matmul.split_depth, config::not_negative,
               "inner dimension beyond which 16-bit products with few outputs are split; 0: never");
    v.optional("split_outputs", matmul.split_outputs, config::not_negative,
               "number of outputs below which products are split until they fill the device; 0: never");
    v.optional("odd_rate", matmul.odd_rate, config::fraction,
               "share of the rate for 16-bit products with an odd output width or inner dimension");
    check_after_reading(v, matmul);
}

}  // namespace dse::hardware
