#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/metrics/metrics.hpp"
#include "dse/space/point.hpp"

namespace dse::space {

/// Outcome of a point.
enum class Status : std::uint8_t {
    ok = 1,
    out_of_memory = 2,     ///< does not fit into memory; the reason names the kind that overflows
    outside_validity = 3,  ///< a model rejects it, for the given reason
    failed = 4,            ///< the evaluation failed; the reason contains the message
    timed_out = 5,         ///< exceeded the sweep's time limit, which the reason names
};

/// "ok", "out_of_memory", …: names as used in HDF5's enum type and in JSON.
std::string_view name(Status status);

/// Whether the evaluation itself failed, so that nothing is known about the point: `failed` and `timed_out`.
/// Running out of memory or being outside a model's validity is a result.
constexpr bool is_failure(Status status) {
    return status == Status::failed || status == Status::timed_out;
}

/// A point with its metrics, or with the reason why it has none.
struct Record {
    Point point;
    Status status{Status::failed};
    std::string reason;
    metrics::Metrics metrics;
    /// Further columns: those that the evaluator adds, then those that the sweep derives (Space::added(),
    /// Space::metrics()). Columns missing at the end have no value.
    std::vector<double> more;
    double wall_seconds{0.0};  ///< time of the evaluation; not part of the result
    std::int32_t rank{0};      ///< rank that evaluated it; not part of the result
};

}  // namespace dse::space
