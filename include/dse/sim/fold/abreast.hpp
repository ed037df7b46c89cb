#pragma once

#include <cstddef>

#include "dse/sim/fold/node_rows.hpp"

namespace dse::sim::fold {

/// Evaluations of one graph that are played side by side, each with durations of its own: their numbers stand
/// beside each other.
inline constexpr std::size_t abreast = 4;

/// out i = max over inputs j of (number i, j) + in j, for each of them. Exact as all sums here, thus the same
/// whatever the instructions that it is compiled to.
/// \param numbers  of the operator: by output, input, evaluation
/// \param in       by input and evaluation
/// \param out      by output and evaluation; apart from `in`
void apply_abreast(const double* numbers, std::size_t inputs, std::size_t outputs, const double* in,
                   double* out);

/// Where the values of a task lie, for each of them: what it changes it changes in place.
struct TaskValues {
    double* streams{nullptr};  ///< those that it may change
    std::size_t stream_count{0};
    const double* in{nullptr};  ///< boundary value
    double* out{nullptr};       ///< likewise
    double* saved{nullptr};
    std::size_t saved_in{0};
    std::size_t saved_out{0};
};

/// As apply_abreast, from streams, boundary and saved values to the same.
/// \return false, with nothing done, where there are too many inputs for the processor's registers
bool apply_task_abreast(const double* numbers, const TaskValues& values);

/// Sends a message, for each of them: when its value is there and both queues are free.
/// \param send     the sender's queue; may be `receive` as well
/// \param value    when the message is there to be sent; then when it has come
/// \param compute  of the sender, held for `hold`; nullptr where it is not held
void send_abreast(double* send, double* receive, double* value, double* compute, const double* duration,
                  const double* hold);

/// As combine(), for each of them.
/// \param row    by input and evaluation
/// \param width  of all rows: columns times evaluations
void combine_abreast(double* out, const double* row, const double* const* rows, std::size_t count,
                     std::size_t width);

/// Issues a node, for each of them: it starts when its stream is free and its inputs are there, and where it
/// holds the compute stream, when that is free as well.
void issue_abreast(const NodeRows& rows, const WorkTimes<abreast>& times);

}  // namespace dse::sim::fold
