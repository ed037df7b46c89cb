#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dse::results {

/// A reason longer than this is cut in the column of reasons; the whole of it stands in a side table.
inline constexpr std::size_t inline_reason_bytes = 155;

inline bool is_cut(std::string_view reason) {
    return reason.size() > inline_reason_bytes;
}

/// What of a long reason stands in the column: as much as there is room for, whole characters, and an
/// ellipsis. \pre is_cut(reason)
std::string cut_reason(std::string_view reason);

}  // namespace dse::results
