#pragma once

#include <algorithm>

namespace dse::ir {

/// What operations take, summed. Numbers are doubles: they pass 2^63 in large models; below 2^53 sums are
/// exact.
struct Cost {
    double dot{0};               ///< FLOPs of matrix products: 2 a multiply-add
    double convolution{0};       ///< FLOPs of convolutions, of positions inside the operand (XLA's rule)
    double convolution_full{0};  ///< FLOPs of convolutions, of full windows
    double flops{0};             ///< FLOPs of everything, by XLA's rules; foreign calls aside
    double transcendentals{0};   ///< by XLA's rules; no FLOPs
    double bytes{0};             ///< read and written, by XLA's rules; foreign calls aside
    double foreign_flops{0};     ///< of foreign calls, by ForeignCosts
    double foreign_bytes{0};
    double complex_products{0};  ///< of dot, convolution_full and foreign_flops those of complex numbers
    /// Of executed() those that the model does not ask for: repetitions of others, padding, and what other
    /// devices compute too (Operation::repeats, model_share).
    double surplus{0};

    /// FLOPs of products and convolutions with full windows: what papers count.
    [[nodiscard]] double products() const { return dot + convolution_full; }
    /// FLOPs that products and foreign calls take of a device: XLA counts 2 a multiply-add of complex numbers
    /// too, and that is four multiply-adds of real ones.
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
    /// This, and `count` times the other.
    [[nodiscard]] Cost plus(const Cost& other, double count = 1) const {
        return combined(other, [count](double a, double b) { return a + count * b; });
    }
    /// The larger one of each number.
    [[nodiscard]] Cost largest(const Cost& other) const {
        return combined(other, [](double a, double b) { return std::max(a, b); });
    }
    friend bool operator==(const Cost&, const Cost&) = default;
};

}  // namespace dse::ir
