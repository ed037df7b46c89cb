#include "dse/frontend/template/dimensions.hpp"

#include <algorithm>

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

}  // namespace

Dimensions::Dimensions() {
    symbols_.add("b", symbolic::ValueType::integer);
    symbols_.add("s", symbolic::ValueType::integer);
}

void Dimensions::add_symbol(const std::string& name) {
    symbols_.add(name, symbolic::ValueType::integer);
}

DimId Dimensions::intern(std::string_view text) {
    std::string key = without_spaces(text);
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    if (found != keys_.end()) return DimId(static_cast<std::size_t>(found - keys_.begin()));
    expressions_.push_back(symbolic::Expression::parse(text, symbols_));
    keys_.push_back(std::move(key));
    rows_.emplace_back();
    return DimId(keys_.size() - 1);
}

DimId Dimensions::intern_rows(std::span<const DimId> tokens, const Rows& rows) {
    // Real from the first factor on: a mean need not be whole.
    std::string mean = "1.0";
    for (const DimId dim : tokens) mean += fmt::format("*({})", text(dim));
    const DimId dim = intern(fmt::format("{}*({})/({})", mean, text(rows.chosen), text(rows.experts)));
    rows_[dim.index()] = rows;
    return dim;
}

void Dimensions::evaluate(std::span<const double> symbols, std::span<double> values) const {
    DSE_EXPECT(values.size() == expressions_.size());
    for (std::size_t i = 0; i < expressions_.size(); ++i) values[i] = expressions_[i].evaluate(symbols);
}

}  // namespace dse::frontend
