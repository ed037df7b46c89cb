#pragma once

#include <cstdint>
#include <string>

namespace dse {

/// Counts for display. Output for programs is JSON, CSV or HDF5 and has all digits.

/// "1,234,567".
std::string human_count(std::uint64_t count);

/// "1,234"; "1.2e+15" from 10^15 upwards.
std::string human_count(double count);

}  // namespace dse
