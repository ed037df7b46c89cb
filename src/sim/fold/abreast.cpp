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

/// A row's numbers are present on all machines or on none, but for rare ones.
bool are_absent(const double* numbers) {
    return numbers[0] == absent && numbers[1] == absent && numbers[2] == absent && numbers[3] == absent;
}

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

DSE_WIDE_TOO
void combine_abreast(double* out, const double* row, const double* const* rows, std::size_t count,
                     std::size_t width) {
    clear(out, width);
    for (std::size_t j = 0; j < count; ++j, row += abreast) {
        if (are_absent(row)) continue;
        Quad by;
        std::memcpy(&by, row, sizeof by);
        for (std::size_t i = 0; i < width; i += abreast) {
            Quad value;
            Quad most;
            std::memcpy(&value, rows[j] + i, sizeof value);
            std::memcpy(&most, out + i, sizeof most);
            value += by;
            most = value > most ? value : most;
            std::memcpy(out + i, &most, sizeof most);
        }
    }
}

DSE_WIDE_TOO
void issue_abreast(const NodeRows& rows, const WorkTimes<abreast>& times) {
    Quad duration;
    Quad visible;
    Quad hold;
    std::memcpy(&duration, times.duration.data(), sizeof duration);
    std::memcpy(&visible, times.visible.data(), sizeof visible);
    std::memcpy(&hold, times.hold.data(), sizeof hold);
    const Quad zero = {0, 0, 0, 0};
    const Quad never = {absent, absent, absent, absent};
    // Where one evaluation does not hold the compute stream, it neither waits for it nor moves it.
    const Quad waits = hold > zero ? zero : never;
    const Quad holds = hold > zero ? hold : never;
    for (std::size_t i = 0; i < rows.width; i += abreast) {
        Quad start;
        Quad other;
        Quad compute = never;
        std::memcpy(&start, rows.stream + i, sizeof start);
        for (const double* input : rows.inputs) {
            std::memcpy(&other, input + i, sizeof other);
            start = other > start ? other : start;
        }
        if (rows.compute != nullptr) {
            std::memcpy(&compute, rows.compute + i, sizeof compute);
            other = compute + waits;
            start = other > start ? other : start;
        }
        other = start + visible;
        std::memcpy(rows.value + i, &other, sizeof other);
        other = start + duration;
        std::memcpy(rows.stream + i, &other, sizeof other);
        if (rows.compute == nullptr) continue;
        other = start + holds;
        compute = other > compute ? other : compute;
        std::memcpy(rows.compute + i, &compute, sizeof compute);
    }
}

}  // namespace dse::sim::fold
