#pragma once

#include <algorithm>
#include <cstddef>

#include "dse/sim/fold/max_plus.hpp"
#include "quad.hpp"

namespace dse::sim::fold {

/// Keeps the sums of all outputs in registers while it goes through the inputs. The outputs are so many quads
/// and, if `and_pair`, a pair.
template <std::size_t quads, bool and_pair>
[[gnu::always_inline]] inline void apply_fixed(const double* columns, std::size_t inputs, const double* in,
                                               double* out) {
    Quad sum[std::max<std::size_t>(quads, 1)];
    for (Quad& quad : sum) quad = Quad{absent, absent, absent, absent};
    Pair last = both(absent);
    for (std::size_t j = 0; j < inputs; ++j) {
        const Quad value{in[j], in[j], in[j], in[j]};
        for (std::size_t i = 0; i < quads; ++i, columns += quad_block) raise_quad(sum[i], columns, value);
        if constexpr (and_pair) {
            last = later(load(columns) + both(in[j]), last);
            columns += row_block;
        }
    }
#pragma GCC unroll 3
    for (std::size_t i = 0; i < quads; ++i) store_quad(out + i * quad_block, sum[i]);
    if constexpr (and_pair) store(out + quads * quad_block, last);
}

/// The same for any number of outputs.
/// \param height  padded(outputs)
void apply_tall(const double* columns, std::size_t inputs, std::size_t height, const double* in, double* out);

/// apply() for callers that are compiled for wide registers themselves.
[[gnu::always_inline]] inline void apply_columns(const double* columns, std::size_t inputs,
                                                 std::size_t outputs, const double* in, double* out) {
    const std::size_t height = padded(outputs);
    switch (height / row_block) {
        case 1:
            return apply_fixed<0, true>(columns, inputs, in, out);
        case 2:
            return apply_fixed<1, false>(columns, inputs, in, out);
        case 3:
            return apply_fixed<1, true>(columns, inputs, in, out);
        case 4:
            return apply_fixed<2, false>(columns, inputs, in, out);
        case 5:
            return apply_fixed<2, true>(columns, inputs, in, out);
        case 6:
            return apply_fixed<3, false>(columns, inputs, in, out);
        default:
            break;
    }
    apply_tall(columns, inputs, height, in, out);
}

}  // namespace dse::sim::fold
