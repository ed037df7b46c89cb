#pragma once

#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace dse::conformance {

/// A line of a table, by the names of its columns.
using CsvRow = std::map<std::string, std::string>;

/// Fields of one line; they may stand in double quotes (RFC 4180), but hold no line breaks.
inline std::vector<std::string> split_csv(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return fields;
}

/// Reads a comma-separated file with a header line.
inline std::vector<CsvRow> read_csv(const std::string& file) {
    std::ifstream input{file};
    if (!input) throw std::runtime_error("cannot read " + file);
    std::string line;
    std::getline(input, line);
    const std::vector<std::string> header = split_csv(line);
    std::vector<CsvRow> rows;
    while (std::getline(input, line)) {
        const std::vector<std::string> fields = split_csv(line);
        CsvRow row;
        for (std::size_t i = 0; i < header.size() && i < fields.size(); ++i) row[header[i]] = fields[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The number in a column; a row that lacks it is an error of the test.
inline double number(const CsvRow& row, const std::string& column) {
    return std::stod(row.at(column));
}

}  // namespace dse::conformance
