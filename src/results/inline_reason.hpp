#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dse::results {

/// Longer reasons are truncated in the column of reasons; the full text is in a side table.
inline constexpr std::size_t inline_reason_bytes = 155;

inline bool is_cut(std::string_view reason) {
    return reason.size() > inline_reason_bytes;
}

/// A long reason as stored in the column: as many whole characters as fit, and an ellipsis.
/// \pre is_cut(reason)
std::string cut_reason(std::string_view reason);

}  // namespace dse::results
