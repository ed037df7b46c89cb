#include "app/questions/marked_row.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/questions/row_names.hpp"
#include "app/result_columns.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::app {
namespace {

constexpr std::size_t most_seen = 20;

/// Compares with a tolerance, because quantities are written with about six digits.
bool is_equal(double value, double wanted) {
    return value == wanted || std::abs(value - wanted) <= 1e-6 * std::abs(wanted);
}

std::vector<std::string> settings_of(const std::string& text) {
    std::vector<std::string> settings;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string setting = text.substr(begin, comma - begin);
        setting.erase(0, setting.find_first_not_of(" \t"));
        setting.erase(setting.find_last_not_of(" \t") + 1);
        if (!setting.empty()) settings.push_back(std::move(setting));
        begin = comma + 1;
    }
    return settings;
}

bool names_a_column(const results::Table& columns, const std::string& name) {
    return std::any_of(columns.schema.points.begin(), columns.schema.points.end(),
                       [&](const results::Column& column) { return is_called(column.name, name); });
}

}  // namespace

MarkedRow::MarkedRow(const results::Table& columns, const std::string& text,
                     std::vector<metrics::Objective> objectives)
    : text_{text}, objectives_{std::move(objectives)}, row_{results::without_rows(columns)} {
    for (const std::string& setting : settings_of(text)) want(setting);
    if (wanted_.empty()) throw InputError("--mark names no axis: write it like tp=8,pp=16");
    for (std::size_t c = 0; c < columns.schema.points.size(); ++c) {
        const bool named =
            std::any_of(wanted_.begin(), wanted_.end(), [c](const Wanted& w) { return w.column == c; });
        if (!named && columns.schema.points[c].role == results::ColumnRole::axis) open_.push_back(c);
    }
}

void MarkedRow::want(const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError(fmt::format("'{}' marks nothing: write it like tp=8,pp=16", setting));
    const std::string name = setting.substr(0, equals);
    const std::string value = setting.substr(equals + 1);
    if (!names_a_column(row_, name)) return require_fact(name, value);
    const std::size_t column = point_column(row_, name);
    wanted_.push_back({column, parse_column_value(row_.schema.points[column], value)});
}

/// The text may also give a field that all points share, with its actual value.
void MarkedRow::require_fact(const std::string& name, const std::string& value) const {
    std::vector<std::string> known;
    for (const results::Column& column : row_.schema.points) known.push_back(column.name);
    for (const auto& [fact, text] : row_.schema.sweep.facts) {
        known.push_back(fact);
        if (!is_called(fact, name)) continue;
        if (text == value) return;
        throw InputError(fmt::format("{} is {} in all of these results, never {}", fact, text, value));
    }
    const auto close = nearest(name, known);
    throw InputError(fmt::format("the results have no axis, derived value or field '{}'{}", name,
                                 close ? fmt::format(" (did you mean '{}'?)", *close) : ""));
}

bool MarkedRow::is_meant(const results::Table& block, std::size_t row) {
    bool all = true;
    for (Wanted& wanted : wanted_) {
        const double value = block.points[wanted.column][row];
        if (wanted.seen.size() < most_seen && !std::isnan(value)) wanted.seen.insert(value);
        all = all && is_equal(value, wanted.value);
    }
    return all;
}

void MarkedRow::add(const results::Table& block) {
    const metrics::CostTable costs = results::costs(block, std::span{objectives_}.first(1));
    for (std::size_t i = 0; i < block.rows(); ++i) {
        if (!is_meant(block, i)) continue;
        if (block.status[i] == space::Status::ok) ++matches_;
        const double cost = costs[i][0];
        const bool better = row_.rows() == 0 || (!std::isnan(cost) && !(cost_ <= cost));
        if (!better) continue;
        row_.clear();
        row_.append(block, i);
        cost_ = cost;
    }
}

const results::Table& MarkedRow::row() const {
    if (row_.rows() > 0) return row_;
    std::string values;
    for (const Wanted& wanted : wanted_) {
        const results::Column& column = row_.schema.points[wanted.column];
        std::vector<std::string> texts;
        for (const double value : wanted.seen) texts.push_back(column_text(column, value));
        values += fmt::format("{}{} is {}{}", values.empty() ? "" : "; ", column.name, fmt::join(texts, ", "),
                              wanted.seen.size() >= most_seen ? ", …" : "");
    }
    throw InputError(fmt::format("no row has {} ({}; what `require` drops has no row)", text_, values));
}

}  // namespace dse::app
