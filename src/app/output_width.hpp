#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace dse::app {

inline constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();

/// Number of columns for output: COLUMNS if it is set, otherwise those of the terminal; any_width if standard
/// output is not a terminal.
std::size_t output_width();

/// A heading and words as indented lines of at most this many columns.
std::string wrapped(const std::string& heading, const std::vector<std::string>& words, std::size_t width);

/// A help text whose descriptions begin at a column: aligned there where names have letters beyond ASCII, and
/// broken into lines of at most this many columns.
std::string fitted_help(const std::string& text, std::size_t column, std::size_t width);

}  // namespace dse::app
