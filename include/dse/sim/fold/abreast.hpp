#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dse/sim/fold/node_rows.hpp"

namespace dse::sim::fold {

/// Number of evaluations of one graph that are simulated together (SIMD), each with its own durations. Their
/// numbers are interleaved.
inline constexpr std::size_t abreast = 4;

/// out i = max over inputs j of (number i, j) + in j, for each evaluation. Like all sums here it is exact, so
/// that the result does not depend on the instruction set.
/// \param numbers  the operator's numbers, by output, input, evaluation
/// \param in       by input and evaluation
/// \param out      by output and evaluation; must not overlap with `in`
void apply_abreast(const double* numbers, std::size_t inputs, std::size_t outputs, const double* in,
                   double* out);

/// Pointers to the values of a task, for all evaluations. Values are changed in place.
struct TaskValues {
    double* streams{nullptr};  ///< the streams that the task may change
    std::size_t stream_count{0};
    const double* in{nullptr};  ///< incoming boundary value
    double* out{nullptr};       ///< outgoing boundary value
    double* saved{nullptr};
    std::size_t saved_in{0};
    std::size_t saved_out{0};
};

/// Like apply_abreast, from streams, boundary and saved values to the same.
/// \return false, with nothing done, if there are too many inputs for the processor's registers
bool apply_task_abreast(const double* numbers, const TaskValues& values);

/// Sends a message in each evaluation, as soon as its value is ready and both queues are free.
/// \param send     the sender's queue; may be the same as `receive`
/// \param value    in: when the value is ready to be sent; out: when it has arrived
/// \param compute  the sender's compute stream, which is blocked for `hold`; nullptr if it is not blocked
void send_abreast(double* send, double* receive, double* value, double* compute, const double* duration,
                  const double* hold);

/// Like uniform_shift(), for each evaluation.
/// \param count   of the numbers of all evaluations
/// \param moving  by number
/// \param shift   by evaluation: of a number that moves and is present in all of them
bool are_shifted_abreast(const double* before, const double* now, const std::uint8_t* moving,
                         std::size_t count, const double* shift);

/// Like combine(), for each evaluation.
/// \param row    by input and evaluation
/// \param width  width of all rows: columns times evaluations
void combine_abreast(double* out, const double* row, const double* const* rows, std::size_t count,
                     std::size_t width);

/// Issues a node in each evaluation: it starts when its stream is free and its inputs are ready and, if it
/// blocks the compute stream, when that is free as well.
void issue_abreast(const NodeRows& rows, const WorkTimes<abreast>& times);

/// Delays what a row stands for in each evaluation.
/// \param width  columns times evaluations
void delay_abreast(double* row, std::size_t width, const std::array<double, abreast>& by);

}  // namespace dse::sim::fold
