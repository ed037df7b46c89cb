#pragma once

#include <cstdint>
#include <string>

namespace dse {

/// Counts for people. What programs read is JSON, CSV or HDF5, with every digit.

/// "1,234,567".
std::string human_count(std::uint64_t count);

/// "1,234", and "1.2e+15" from 10^15 on.
std::string human_count(double count);

}  // namespace dse
