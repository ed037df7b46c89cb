#include "dse/frontend/template/dimensions.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "dse/base/check.hpp"

namespace dse::frontend {
namespace {

std::string without_spaces(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](char c) { return c != ' ' && c != '\t'; });
    return result;
}

/// Whether a character belongs to a name or a number; both can contain dots.
bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

}  // namespace

Dimensions::Dimensions() {
    symbols_.add("b", symbolic::ValueType::integer);
    symbols_.add("s", symbolic::ValueType::integer);
}

void Dimensions::add_serving_symbols() {
    for (const char* name : {"context", "cached", "served"}) add_symbol(name);
    DSE_ENSURE(symbols_.find("served")->slot == served_slot);
}

void Dimensions::add_symbol(const std::string& name) {
    symbols_.add(name, symbolic::ValueType::integer);
}

std::string Dimensions::with_sizes(std::string_view text) const {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_name(text[end])) ++end;
        const std::string_view word = text.substr(at, std::max<std::size_t>(end - at, 1));
        const auto size = std::find_if(block_sizes_.begin(), block_sizes_.end(),
                                       [&](const Size& candidate) { return candidate.name == word; });
        result += size != block_sizes_.end() ? fmt::format("{}", size->value) : std::string{word};
        at += word.size();
    }
    return result;
}

DimId Dimensions::intern(std::string_view written) {
    const std::string text = block_sizes_.empty() ? std::string{written} : with_sizes(written);
    std::string key = without_spaces(text);
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    if (found != keys_.end()) return DimId(static_cast<std::size_t>(found - keys_.begin()));
    expressions_.push_back(symbolic::Expression::parse(text, symbols_));
    keys_.push_back(std::move(key));
    rows_.emplace_back();
    means_.push_back(false);
    return DimId(keys_.size() - 1);
}

DimId Dimensions::intern_mean(std::string_view text) {
    const DimId dim = intern(fmt::format("1.0*({})", text));
    means_[dim.index()] = true;
    return dim;
}

DimId Dimensions::intern_rows(std::span<const DimId> tokens, const Rows& rows) {
    // A floating-point factor first, because a mean need not be an integer.
    std::string mean = "1.0";
    for (const DimId dim : tokens) mean += fmt::format("*({})", text(dim));
    const DimId dim = intern(fmt::format("{}*({})/({})", mean, text(rows.chosen), text(rows.experts)));
    rows_[dim.index()] = rows;
    return dim;
}

bool Dimensions::uses_sequence(DimId dim) const {
    const std::vector<std::size_t>& slots = expressions_[dim.index()].slots();
    return std::find(slots.begin(), slots.end(), sequence_slot) != slots.end();
}

void Dimensions::evaluate(std::span<const double> symbols, std::span<double> values) const {
    DSE_EXPECT(values.size() == expressions_.size());
    for (std::size_t i = 0; i < expressions_.size(); ++i) values[i] = expressions_[i].evaluate(symbols);
}

}  // namespace dse::frontend
