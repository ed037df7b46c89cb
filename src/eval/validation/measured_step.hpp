#pragma once

#include <string>

#include "dse/eval/validation/truth_row.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/metrics/metrics.hpp"

namespace dse::eval {

using MemoryMetric = double (*)(const metrics::Metrics&);

/// What a memory row states, of a prediction: the peak of a device, its model states, or its activations, in
/// bytes; nullptr for rows of time.
MemoryMetric memory_metric(const std::string& metric);

/// The bytes that a memory row states. \throws ModelError if it states no value or another unit
double measured_memory(const TruthRow& row);

/// The seconds per iteration that a row of time states, or that follow from its rate or its utilization.
/// \param predicted  of the same configuration: the floating-point operations of an iteration, which are no
///                   prediction but follow from the model
/// \param peak       floating-point operations per second of all devices, in the row's precision
/// \throws ModelError if no time follows from the metric, or if it exceeds the peak
double measured_time(const TruthRow& row, const TruthSource& source, const metrics::Metrics& predicted,
                     double peak);

}  // namespace dse::eval
