#include "ir/readers/mlir/statement.hpp"

#include <algorithm>
#include <array>

namespace dse::ir::mlir {

void Statement::clear() {
    name = location = {};
    generic = typed = functional = false;
    results.clear();
    operands.clear();
    entries.clear();
    words.clear();
    operand_types.clear();
    result_types.clear();
    arguments.clear();
    regions.clear();
}

const Statement::Entry* Statement::find(std::string_view key) const {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [key](const Entry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

std::string_view Statement::value(std::string_view key, std::string_view other) const {
    if (const Entry* entry = find(key)) return entry->value;
    if (other.empty()) return {};
    const Entry* entry = find(other);
    return entry == nullptr ? std::string_view{} : entry->value;
}

std::string_view Statement::word(char first) const {
    const auto found = std::find_if(words.begin(), words.end(),
                                    [first](std::string_view text) { return text.front() == first; });
    return found == words.end() ? std::string_view{} : *found;
}

bool Statement::says(std::string_view word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view dialect_of(std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

bool is_known_dialect(std::string_view dialect) {
    static constexpr std::array<std::string_view, 6> known{"", "stablehlo", "mhlo", "chlo", "sdy", "func"};
    return std::find(known.begin(), known.end(), dialect) != known.end();
}

}  // namespace dse::ir::mlir
