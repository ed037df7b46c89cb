#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// What stays in the processing elements of a systolic array while the rest streams through them.
enum class Dataflow : std::uint8_t {
    os,    ///< output stationary: the sums
    ws,    ///< weight stationary: the filter, a (k × n) matrix
    is,    ///< input stationary: the input, an (m × k) matrix
    best,  ///< for each product the one that takes the fewest cycles
};
std::span<const std::string_view> choice_names(Dataflow);

/// Matrix units of a device as one systolic array, and how its cycles become time:
///
///     t = latency + cycles · cycle + min(bytes, staged) / staging_bandwidth
///
/// with cycles by the closed form of model::SystolicFolds, and no less than what the device's memory needs.
/// A cycle does 2 · rows · columns FLOP, so that its time follows from the rate that the device sustains in
/// the product's format (`matmul.sustained`, else its peak): the clock's where all arrays are busy all the
/// time. Source: form and constants by analysis/dse_analysis/fit_systolic.py.
struct SystolicSpec {
    std::int64_t rows{0};  ///< of processing elements; 0: the device has no such array
    std::int64_t columns{0};
    Dataflow dataflow{Dataflow::best};
    Seconds latency;  ///< of a product that does nothing
    /// Operands and results up to this size move before and after the product instead of beside it.
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
    v.optional("dataflow", systolic.dataflow, "what stays in the array: os, ws, is, or best of them");
    v.optional("latency", systolic.latency, config::not_negative, "time of a product that does nothing");
    v.optional("staged", systolic.staged, config::not_negative,
               "bytes of a product that move beside no arithmetic");
    v.optional("staging_bandwidth", systolic.staging_bandwidth, config::not_negative,
               "at which these bytes move");
    check_after_reading(v, systolic);
}

}  // namespace dse::hardware
