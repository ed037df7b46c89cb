#pragma once

#include <cstddef>
#include <cstring>

// Adds a version for machines with wider registers, which is selected when the program is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DSE_WIDE_TOO __attribute__((target_clones("avx2", "default")))
#else
#define DSE_WIDE_TOO
#endif

namespace dse::sim::fold {

/// Four numbers that are processed at once: one register where registers are wide, else two.
using Quad = double __attribute__((vector_size(32)));
inline constexpr std::size_t quad_block = 4;

// The following functions are inlined so that they are compiled for the instruction set of their callers.

[[gnu::always_inline]] inline void load_quad(Quad& quad, const double* numbers) {
    std::memcpy(&quad, numbers, sizeof quad);
}

[[gnu::always_inline]] inline void store_quad(double* numbers, const Quad& quad) {
    std::memcpy(numbers, &quad, sizeof quad);
}

/// most = max(most, numbers + by)
[[gnu::always_inline]] inline void raise_quad(Quad& most, const double* numbers, const Quad& by) {
    Quad value;
    load_quad(value, numbers);
    value += by;
    most = value > most ? value : most;
}

/// most = max(most, numbers)
[[gnu::always_inline]] inline void raise_quad(Quad& most, const double* numbers) {
    Quad value;
    load_quad(value, numbers);
    most = value > most ? value : most;
}

}  // namespace dse::sim::fold
