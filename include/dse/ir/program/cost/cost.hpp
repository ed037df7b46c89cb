#pragma once

#include <algorithm>

namespace dse::ir {

/// Total cost of operations. Numbers are doubles, since they exceed 2^63 in large models; sums below 2^53 are
/// exact.
struct Cost {
    double dot{0};               ///< FLOPs of matrix products: 2 per multiply-add
    double convolution{0};       ///< FLOPs of convolutions, only for positions inside the operand (XLA's
                                 ///< rule)
    double convolution_full{0};  ///< FLOPs of convolutions, for full windows
    double flops{0};             ///< all FLOPs by XLA's rules, except for foreign calls
    double transcendentals{0};   ///< by XLA's rules; not counted as FLOPs
    double bytes{0};             ///< read and written, by XLA's rules, except for foreign calls
    double foreign_flops{0};     ///< of foreign calls, by ForeignCosts
    double foreign_bytes{0};
    double complex_products{0};  ///< part of dot, convolution_full and foreign_flops that is on complex
                                 ///< numbers
    /// Part of executed() that the model itself does not require: recomputation, padding, and work that other
    /// devices do as well (Operation::repeats, model_share).
    double surplus{0};

    /// FLOPs of products, and of convolutions with full windows: the count used in papers.
    [[nodiscard]] double products() const { return dot + convolution_full; }
    /// FLOPs of products and foreign calls as executed by a device. XLA counts 2 for a multiply-add of
    /// complex numbers as well, which is four multiply-adds of real ones.
    [[nodiscard]] double executed() const { return products() + foreign_flops + 3 * complex_products; }

    template <class Combine>
    [[nodiscard]] Cost combined(const Cost& other, Combine combine) const {
        return {combine(dot, other.dot),
                combine(convolution, other.convolution),
                combine(convolution_full, other.convolution_full),
                combine(flops, other.flops),
                combine(transcendentals, other.transcendentals),
                combine(bytes, other.bytes),
                combine(foreign_flops, other.foreign_flops),
                combine(foreign_bytes, other.foreign_bytes),
                combine(complex_products, other.complex_products),
                combine(surplus, other.surplus)};
    }
    /// This plus `count` times the other.
    [[nodiscard]] Cost plus(const Cost& other, double count = 1) const {
        return combined(other, [count](double a, double b) { return a + count * b; });
    }
    /// The element-wise maximum.
    [[nodiscard]] Cost largest(const Cost& other) const {
        return combined(other, [](double a, double b) { return std::max(a, b); });
    }
    friend bool operator==(const Cost&, const Cost&) = default;
};

}  // namespace dse::ir
