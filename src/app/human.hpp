#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dse/base/human_count.hpp"

namespace dse::app {

// Numbers in human-readable form. Output for programs is JSON, CSV or HDF5, with all digits.

/// "1.234 s", "56.7 ms", "12.3 µs"; "–" for NaN.
std::string human_seconds(double seconds);

/// A duration: "45 s", "3 min 20 s", "2 h 5 min", "3 days", "1,200 years"; "?" for NaN.
std::string human_duration(double seconds);

/// "1 point", "1,234 points".
std::string counted(std::uint64_t count, std::string_view noun);

/// "1,234/s", "3.2/s"; below one a second, "2.5 s each".
std::string human_rate(double per_second);

/// "79.6 GiB"; "–" for NaN.
std::string human_bytes(double bytes);

/// "jit(step)/…/dot_general": a foreign name, shortened in its middle to a number of characters, with control
/// characters escaped.
/// \param width  >= 3
std::string human_name(std::string_view name, std::size_t width);

/// "41.2 %"; "–" for NaN.
std::string human_share(double share);

/// "41.2 %" and "+41.2 %" in a cell of a table, which is empty for NaN and infinity.
std::string share_cell(double share);
std::string signed_share_cell(double share);

/// A metric with its unit as in metrics::MetricField; the unit is empty for metrics that a sweep derives.
std::string human_value(double value, std::string_view unit);

}  // namespace dse::app
