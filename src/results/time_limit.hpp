#pragma once

#include <memory>

#include "dse/results/result_schema.hpp"
#include "results/row_source.hpp"

namespace dse::results {

/// How long a point of a sweep may take, s; infinite where it may take as long as it likes, or nothing is
/// said of it. It decides which points have an answer, and no answer: a sweep with another limit is the same
/// sweep.
double time_limit_of(const ResultSchema& schema);

/// `wanted`, as if it had the limit of `found`.
ResultSchema with_time_limit_of(const ResultSchema& found, ResultSchema wanted);

/// The rows of a source as if those that ran out of time were not there: their points are open again.
std::unique_ptr<RowSource> without_timed_out(std::unique_ptr<RowSource> source);

}  // namespace dse::results
