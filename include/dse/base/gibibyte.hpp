#pragma once

namespace dse {

/// Bytes, for texts and for flags of other programs.
inline constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

}  // namespace dse
