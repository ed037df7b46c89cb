#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Which matrix stays in the processing elements of a systolic array while the others stream through them.
enum class Dataflow : std::uint8_t {
    os,    ///< output stationary: the partial sums
    ws,    ///< weight stationary: the filter, a (k × n) matrix
    is,    ///< input stationary: the input, an (m × k) matrix
    best,  ///< the one with the fewest cycles, for each product
};
DSE_CHOICES(Dataflow, os, ws, is, best);

/// The matrix units of a device as one systolic array, and the conversion of its cycles to time:
///
///     t = latency + cycles · cycle + min(bytes, staged) / staging_bandwidth
///
/// where cycles follow from the closed form of model::SystolicFolds, and t is at least the time of the memory
/// traffic. A cycle performs 2 · rows · columns FLOP, so that its time follows from the sustained rate of the
/// product's format (`matmul.sustained`, else the peak). Source: form and constants by
/// analysis/dse_analysis/fit_systolic.py.
struct SystolicSpec {
    std::int64_t rows{0};  ///< rows of processing elements; 0: the device has no systolic array
    std::int64_t columns{0};
    Dataflow dataflow{Dataflow::best};
    Seconds latency;  ///< time of an empty product
    /// Operands and results up to this size are moved before and after the product, not concurrently with it.
    Bytes staged;
    BytesPerSecond staging_bandwidth;  ///< 0: nothing is staged

    [[nodiscard]] bool exists() const { return rows > 0; }
};

Problems problems_of(const SystolicSpec& systolic);

template <class Visitor>
void describe(Visitor& v, SystolicSpec& systolic) {
    v.optional("rows", systolic.rows, config::not_negative,
               "processing elements in a column of the array; 0: no systolic array");
    v.optional("columns", systolic.columns, config::not_negative,
               "processing elements in a row of the array");
    v.optional("dataflow", systolic.dataflow, "matrix that stays in the array: os, ws, is, or the best");
    v.optional("latency", systolic.latency, config::not_negative, "time of an empty product");
    v.optional("staged", systolic.staged, config::not_negative,
               "bytes of a product that are moved before and after its arithmetic");
    v.optional("staging_bandwidth", systolic.staging_bandwidth, config::not_negative,
               "bandwidth at which these bytes are moved");
    check_after_reading(v, systolic);
}

}  // namespace dse::hardware
