#include "app/row_conditions.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/questions/row_names.hpp"
#include "app/result_columns.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/bare_number.hpp"
#include "dse/config/node.hpp"
#include "dse/config/written_unit.hpp"
#include "dse/symbolic/bare_comparison.hpp"

namespace dse::app {
namespace {

using symbolic::ValueType;

ValueType type_of(results::ColumnKind kind) {
    switch (kind) {
        case results::ColumnKind::integer:
            return ValueType::integer;
        case results::ColumnKind::flag:
            return ValueType::flag;
        case results::ColumnKind::label:
            return ValueType::label;
        case results::ColumnKind::real:
            break;
    }
    return ValueType::real;
}

symbolic::TextResolver resolver_of(const results::Column& column) {
    if (column.kind == results::ColumnKind::label) return symbolic::label_resolver(column.labels);
    if (column.kind != results::ColumnKind::real || column.unit.empty()) return {};
    return [dimension = config::dimension_of_unit(column.unit)](std::string_view text, std::string& error) {
        return config::parse_quantity(text, dimension, error);
    };
}

/// Whether a name is a value of an axis, or of a field that is the same at all points.
bool is_label(const results::ResultSchema& schema, const std::string& name) {
    const auto& facts = schema.sweep.facts;
    const auto has_label = [&](const results::Column& column) {
        return std::find(column.labels.begin(), column.labels.end(), name) != column.labels.end();
    };
    return std::any_of(schema.points.begin(), schema.points.end(), has_label) ||
           std::any_of(facts.begin(), facts.end(), [&](const auto& fact) { return fact.second == name; });
}

/// What a condition may name, with the ends of paths.
std::vector<std::string> names_in(const results::ResultSchema& schema) {
    std::vector<std::string> names;
    for (const results::MetricColumn& metric : schema.metrics) names.push_back(metric.name);
    const auto add_path = [&](const std::string& path) {
        names.push_back(path);
        if (const std::size_t dot = path.rfind('.'); dot != std::string::npos)
            names.push_back(path.substr(dot + 1));
    };
    for (const results::Column& column : schema.points) add_path(column.name);
    for (const auto& [path, value] : schema.sweep.facts) add_path(path);
    return names;
}

/// Adds a field that has the same value for all points, as listed in the facts of the file.
void add_constant(symbolic::SymbolTable& symbols, const std::string& name, const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0') {
        const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
        symbols.add_constant(name, whole ? ValueType::integer : ValueType::real, number);
    } else if (text == "true" || text == "false") {
        symbols.add_constant(name, ValueType::flag, text == "true" ? 1.0 : 0.0);
    } else {
        symbols.add_constant(name, ValueType::label, 0.0, [text](std::string_view other, std::string&) {
            return std::optional<double>(other == text ? 0.0 : 1.0);
        });
    }
}

std::vector<std::string> texts_under(const config::Node& root, const char* key) {
    std::vector<std::string> texts;
    const config::Node* node = root.is_map() ? root.find(key) : nullptr;
    if (node == nullptr) return texts;
    if (node->is_scalar()) texts.push_back(node->text());
    for (const config::Node& item : node->items()) texts.push_back(item.text());
    return texts;
}

bool has_metric(const results::ResultSchema& schema, const std::string& name) {
    return std::any_of(schema.metrics.begin(), schema.metrics.end(),
                       [&](const results::MetricColumn& column) { return column.name == name; });
}

/// An axis or derived value by its path or the end of it. \throws InputError if there are several
std::optional<std::size_t> axis_called(const std::string& name, const results::ResultSchema& schema) {
    std::optional<std::size_t> found;
    std::vector<std::string> meant;
    for (std::size_t c = 0; c < schema.points.size(); ++c) {
        const std::string& path = schema.points[c].name;
        if (path == name) return c;
        if (!is_called(path, name)) continue;
        found = c;
        meant.push_back(path);
    }
    if (meant.size() > 1)
        throw InputError(
            fmt::format("'{}' may be {}: give more of its path", name, fmt::join(meant, " or ")));
    return found;
}

symbolic::Expression as_condition(symbolic::Expression expression) {
    if (expression.type() == ValueType::flag) return expression;
    throw InputError(fmt::format("'{0}' is {1}, not a condition (compare it, as in '{0} == 0')",
                                 expression.text(), symbolic::describe(expression.type())));
}

}  // namespace

void add_conditions(CLI::App& app, std::vector<std::string>& conditions) {
    app.add_option(
           "--where", conditions,
           "only rows that fulfil this condition, as in 'tp <= 8 and memory_peak < 0.5 * memory_capacity'; "
           "may be repeated")
        ->type_name("CONDITION")
        ->allow_extra_args(false);
}

std::optional<std::string> fidelity_condition(const results::ResultSchema& schema) {
    if (!has_metric(schema, "confirmed")) return std::nullopt;
    return "confirmed == 1";
}

RowConditions::RowConditions(const results::ResultSchema& schema, const std::vector<std::string>& more) {
    read_own(schema);
    for (const std::string& text : more) {
        const auto parsed = symbolic::ParsedExpression::parse(text);
        conditions_.push_back(as_condition(compile(parsed, schema)));
        refuse_bare_numbers(parsed, schema);
    }
    values_.resize(symbols_.slots());
}

std::vector<std::string> stated_conditions(const results::ResultSchema& schema) {
    config::Diagnostics ignored;  // the sweep was read before it was run
    return texts_under(config::parse_yaml(schema.sweep.yaml, "sweep", ignored), "where");
}

void RowConditions::read_own(const results::ResultSchema& schema) {
    config::Diagnostics ignored;  // the sweep was read before it was run
    const config::Node root = config::parse_yaml(schema.sweep.yaml, "sweep", ignored);
    std::vector<std::string> conditions = texts_under(root, "where");
    if (const auto condition = fidelity_condition(schema)) conditions.push_back(*condition);
    if (conditions.empty()) return;
    const config::Node* metrics = root.find("metrics");
    if (metrics != nullptr && metrics->is_map()) {
        for (const config::Node::Entry& entry : metrics->entries()) {
            // Rows of an earlier version of dse have no column for it.
            if (has_metric(schema, entry.key)) continue;
            symbolic::Expression expression =
                compile(symbolic::ParsedExpression::parse(entry.value.text()), schema);
            derived_.push_back(std::move(expression));
            derived_slots_.push_back(symbols_.add(entry.key, ValueType::real));
            places_.emplace_back();
        }
    }
    for (const std::string& text : conditions)
        conditions_.push_back(compile(symbolic::ParsedExpression::parse(text), schema));
}

symbolic::Expression RowConditions::compile(const symbolic::ParsedExpression& parsed,
                                            const results::ResultSchema& schema) {
    for (const symbolic::NameUse& use : parsed.names()) add_symbol(use.name, schema);
    return symbolic::Expression::compile(parsed, symbols_);
}

std::optional<RowConditions::Named> RowConditions::named(const std::string& name,
                                                         const results::ResultSchema& schema) {
    for (std::size_t m = 0; m < schema.metrics.size(); ++m) {
        const results::MetricColumn& metric = schema.metrics[m];
        if (metric.name != name) continue;
        return Named{{metric.name, results::ColumnKind::real, {}, metric.unit, {}},
                     {&results::Table::metrics, m}};
    }
    const auto column = axis_called(name, schema);
    if (!column) return std::nullopt;
    return Named{schema.points[*column], {&results::Table::points, *column}};
}

void RowConditions::refuse_bare_numbers(const symbolic::ParsedExpression& condition,
                                        const results::ResultSchema& schema) {
    for (const auto& [name, number] : symbolic::bare_comparisons(condition)) {
        const auto found = named(name.name, schema);
        if (!found) continue;
        const config::Dimension dimension = config::dimension_of_unit(found->column.unit);
        const std::string note = config::bare_number_note(name.name, number, dimension);
        if (!note.empty()) throw InputError(fmt::format("'{}': {}", condition.text(), note));
    }
}

void RowConditions::add_symbol(const std::string& name, const results::ResultSchema& schema) {
    if (symbols_.find(name) != nullptr) return;
    if (const auto found = named(name, schema)) return add_column(name, found->column, found->place);
    add_field(name, schema);
}

void RowConditions::add_column(const std::string& name, const results::Column& column, const Place& place) {
    symbols_.add(name, type_of(column.kind), resolver_of(column));
    places_.push_back(place);
}

void RowConditions::add_field(const std::string& name, const results::ResultSchema& schema) {
    const auto& facts = schema.sweep.facts;
    const auto is_meant = [&](const auto& fact) { return is_called(fact.first, name); };
    const auto field = std::find_if(facts.begin(), facts.end(), is_meant);
    if (field == facts.end()) {
        if (is_label(schema, name)) return;  // the compiler of the expression says that it lacks its quotes
        const std::optional<std::string> near = nearest(name, names_in(schema));
        throw InputError(fmt::format(
            "no metric, axis or field is called '{}'{}", name,
            near ? fmt::format(" (did you mean '{}'?)", *near) : " (`dse list metrics` has the metrics)"));
    }
    if (std::find_if(std::next(field), facts.end(), is_meant) != facts.end())
        throw InputError(fmt::format(
            "'{0}' may be one of several fields: give more of its path{1}", name,
            is_label(schema, name) ? fmt::format(" (a value of an axis is written in quotes: '{}')", name)
                                   : ""));
    add_constant(symbols_, name, field->second);
}

bool RowConditions::hold(const results::Table& rows, std::size_t row) {
    for (std::size_t slot = 0; slot < places_.size(); ++slot) {
        const Place& place = places_[slot];
        if (place.columns != nullptr) values_[slot] = (rows.*place.columns)[place.column][row];
    }
    for (std::size_t i = 0; i < derived_.size(); ++i)
        values_[derived_slots_[i]] = derived_[i].evaluate(values_);
    return std::all_of(conditions_.begin(), conditions_.end(),
                       [&](const symbolic::Expression& condition) { return condition.holds(values_); });
}

std::span<const space::Status> RowFilter::statuses(const results::Table& block) {
    if (!conditions_) conditions_.emplace(block.schema, more_);
    if (conditions_->empty()) return block.status;
    masked_ = block.status;
    for (std::size_t row = 0; row < block.rows(); ++row) {
        if (masked_[row] == space::Status::ok && !conditions_->hold(block, row))
            masked_[row] = space::Status::outside_validity;
    }
    return masked_;
}

}  // namespace dse::app
