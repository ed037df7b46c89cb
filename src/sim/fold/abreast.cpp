#include "dse/sim/fold/abreast.hpp"

#include <cstring>

#include "dse/sim/fold/max_plus.hpp"

// A copy for machines with wider registers, chosen when the program is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DSE_WIDE_TOO __attribute__((target_clones("avx2", "default")))
#else
#define DSE_WIDE_TOO
#endif

namespace dse::sim::fold {
namespace {

/// One number of each.
using Quad = double __attribute__((vector_size(abreast * sizeof(double))));

}  // namespace

DSE_WIDE_TOO
void apply_abreast(const double* numbers, std::size_t inputs, std::size_t outputs, const double* in,
                   double* out) {
    for (std::size_t i = 0; i < outputs; ++i, out += abreast) {
        Quad most = {absent, absent, absent, absent};
        for (std::size_t j = 0; j < inputs; ++j, numbers += abreast) {
            Quad number;
            Quad value;
            std::memcpy(&number, numbers, sizeof number);
            std::memcpy(&value, in + j * abreast, sizeof value);
            value += number;
            most = value > most ? value : most;
        }
        std::memcpy(out, &most, sizeof most);
    }
}

}  // namespace dse::sim::fold
