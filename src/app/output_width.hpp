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

/// Appends a line, broken at its last blanks within the width; the parts after the first are indented.
void add_broken(std::string& text, std::string line, std::size_t indent, std::size_t width);

/// A sentence as lines of at most 100 columns, or as many as the terminal has; continued lines have the
/// indent of the first.
std::string paragraph(const std::string& sentence);

/// A text with its longer lines broken at blanks into lines of at most this many columns, the parts after the
/// first indented.
std::string fitted_lines(const std::string& text, std::size_t width = output_width());

/// A help text whose descriptions begin at a column: aligned there where names have letters beyond ASCII, and
/// broken into lines of at most this many columns.
std::string fitted_help(const std::string& text, std::size_t column, std::size_t width);

}  // namespace dse::app
