#include "dse/config/record_table.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"

namespace dse::config {
namespace {

Node record_of(const std::vector<std::string>& keys, std::vector<std::string> fields, const std::string& path,
               const Location& where) {
    std::vector<Node::Entry> entries;
    entries.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (fields[i].empty()) continue;
        Node value = Node::scalar(std::move(fields[i]), path + '.' + keys[i], where);
        entries.push_back({keys[i], where, std::move(value)});
    }
    return Node::map(std::move(entries), path, where);
}

}  // namespace

bool is_record_table(const Node& value) {
    return value.is_scalar() && value.text().find('\n') != std::string::npos;
}

std::vector<Node> record_table(const Node& table, Diagnostics& diagnostics) {
    std::vector<CsvRecord> lines;
    try {
        lines = parse_csv(table.text(), table.path());
    } catch (const InputError& error) {
        diagnostics.error(table.location(), table.path(), error.what());
    }
    if (lines.empty()) return {};
    const std::vector<std::string> keys = std::move(lines.front().fields);
    std::vector<Node> records;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        // The text begins on the line after the mark of a block.
        const Location where{table.location().file, table.location().line + lines[i].line, 1};
        const std::string path = fmt::format("{}.{}", table.path(), i - 1);
        if (lines[i].fields.size() == keys.size()) {
            records.push_back(record_of(keys, std::move(lines[i].fields), path, where));
        } else {
            diagnostics.error(
                where, path,
                fmt::format("{} fields under a heading of {}", lines[i].fields.size(), keys.size()));
        }
    }
    return records;
}

}  // namespace dse::config
