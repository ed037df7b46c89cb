#pragma once

#include <string>
#include <vector>

namespace dse::eval {

/// Tables beside those of `dse validate` that only scripts of analysis/ read.

/// Whether these are the columns of published throughputs of engines (serving_throughput, serving_defaults).
bool has_throughputs(const std::vector<std::string>& columns);
/// Whether these are the columns of errors by row (step_errors, memory_errors, memory_fits).
bool has_row_errors(const std::vector<std::string>& columns);
/// Whether these are the columns of errors where a chip or the software is not known (unknown_parts).
bool has_unknown_errors(const std::vector<std::string>& columns);

/// The text of such a table with its comments, lines that begin with #, empty: lines keep their numbers.
std::string without_comments(const std::string& text);

/// Checks a table of throughputs, and that its numbers are positive.
/// \throws InputError when it cannot be read, lacks a column, or with all errors of its rows
void check_throughputs(const std::string& file);

/// Checks a table of errors by row, and that its weights are positive. \throws InputError as above
void check_row_errors(const std::string& file);

/// Checks a table of errors where something is not known, and that its numbers are finite, those of rows
/// positive, and its percentiles in order. \throws InputError as above
void check_unknown_errors(const std::string& file);

}  // namespace dse::eval
