#pragma once

#include <memory>

#include "dse/results/result_schema.hpp"
#include "results/row_source.hpp"

namespace dse::results {

/// Time limit per point of a sweep, s; infinite if there is none or it is unknown. It determines which points
/// have an answer, but no answer itself: a sweep with another limit is the same sweep.
double time_limit_of(const ResultSchema& schema);

/// `wanted`, with the time limit of `found`.
ResultSchema with_time_limit_of(const ResultSchema& found, ResultSchema wanted);

/// The rows of a source without those that timed out, so that their points are open again.
std::unique_ptr<RowSource> without_timed_out(std::unique_ptr<RowSource> source);

}  // namespace dse::results
