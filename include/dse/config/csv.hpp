#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dse::config {

/// A record of a table, with the line of the text on which it begins: blank lines are not records, and a
/// quoted field may contain line breaks.
struct CsvRecord {
    std::vector<std::string> fields;
    int line{1};
};

/// Parses comma-separated values (RFC 4180, with quotes and line breaks inside quotes) into records.
/// \throws InputError for an unterminated quote
std::vector<CsvRecord> parse_csv(std::string_view text, const std::string& name);

/// Reads the text of a table.
/// \throws InputError if it cannot be read (missing, a directory, no permission, over 64 MiB)
std::string read_table(const std::string& file);

/// Both of the above.
std::vector<CsvRecord> read_csv(const std::string& file);

/// The first record of a table whose kind is not known yet; none if the table is empty.
/// \throws InputError, also for a pipe, of which nothing would be left to read
std::vector<std::string> read_csv_header(const std::string& file);

}  // namespace dse::config
