#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/metrics/metrics.hpp"
#include "dse/space/point.hpp"

namespace dse::space {

/// What became of a point.
enum class Status : std::uint8_t {
    ok = 1,
    out_of_memory = 2,     ///< does not fit; the reason names the kind that overflows
    outside_validity = 3,  ///< a model refuses it; the reason says why
    failed = 4,            ///< evaluating it broke; the reason carries the message
    timed_out = 5,         ///< took longer than the sweep allows; the reason names the limit
};

/// By enumerator: "ok", "out_of_memory", …; what HDF5's enum type and JSON call them.
std::string_view name(Status status);

/// Whether the evaluation itself went wrong, so that nothing is known of the point: `failed` and `timed_out`.
/// What does not fit, or lies outside a model's validity, is an answer.
constexpr bool is_failure(Status status) {
    return status == Status::failed || status == Status::timed_out;
}

/// A point with its metrics, or the reason why it has none.
struct Record {
    Point point;
    Status status{Status::failed};
    std::string reason;
    metrics::Metrics metrics;
    /// Columns beside these: what the evaluator adds, then what the sweep derives (Space::added(),
    /// Space::metrics()). Those that are missing at the end have no value.
    std::vector<double> more;
    double wall_seconds{0.0};  ///< time that the evaluation took; not part of the answer
    std::int32_t rank{0};      ///< rank that evaluated it; not part of the answer
};

}  // namespace dse::space
