#include "dse/symbolic/symbol_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::symbolic {

std::string_view describe(ValueType type) {
    switch (type) {
        case ValueType::integer:
            return "an integer";
        case ValueType::real:
            return "a real number";
        case ValueType::flag:
            return "a flag";
        case ValueType::label:
            return "a label";
    }
    return "a value";
}

TextResolver label_resolver(std::vector<std::string> labels) {
    return [labels = std::move(labels)](std::string_view text, std::string& error) -> std::optional<double> {
        const auto found = std::find(labels.begin(), labels.end(), text);
        if (found != labels.end()) return static_cast<double>(found - labels.begin());
        error = fmt::format("unknown label '{}'{}", text, suggestion(text, labels));
        return std::nullopt;
    };
}

std::size_t SymbolTable::add(const std::string& name, ValueType type, TextResolver resolve_text) {
    const std::size_t slot = slots_;
    add_at(name, slot, type, std::move(resolve_text));
    return slot;
}

void SymbolTable::add_at(const std::string& name, std::size_t slot, ValueType type,
                         TextResolver resolve_text) {
    insert(name, Symbol{type, std::nullopt, slot, std::move(resolve_text)});
    slots_ = std::max(slots_, slot + 1);
}

void SymbolTable::add_constant(const std::string& name, ValueType type, double value,
                               TextResolver resolve_text) {
    insert(name, Symbol{type, value, 0, std::move(resolve_text)});
}

const Symbol* SymbolTable::find(std::string_view name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? nullptr : &found->second;
}

std::vector<std::string> SymbolTable::names() const {
    std::vector<std::string> result;
    result.reserve(symbols_.size());
    for (const auto& [name, symbol] : symbols_) result.push_back(name);
    return result;
}

void SymbolTable::insert(const std::string& name, Symbol symbol) {
    if (!is_symbol_name(name)) throw InputError(fmt::format("'{}' cannot be a name in expressions", name));
    if (!symbols_.emplace(name, std::move(symbol)).second) {
        throw InputError(fmt::format("the name '{}' is taken", name));
    }
}

}  // namespace dse::symbolic
