#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dse::model {

/// Whether `text` can be the name of a release: a number, then digits, letters and dots.
bool is_release(std::string_view text);

/// Whether a release comes before another. Numbers count as such (0.9 is before 0.14), and candidates of a
/// release (1.3.0rc20) and versions in development (dev) come before it.
bool release_before(std::string_view first, std::string_view second);

/// Index of the release that stands for `asked`: itself, else the newest before it, else the oldest.
/// \pre `known` is not empty
std::size_t nearest_release(std::string_view asked, std::span<const std::string> known);

}  // namespace dse::model
