#include "conditions.hpp"

#include <string_view>
#include <vector>

#include "dse/symbolic/expression.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::frontend {
namespace {

template <class Choice>
void add_choice(const std::string& name, Choice chosen, symbolic::SymbolTable& symbols) {
    std::vector<std::string> labels;
    for (const std::string_view label : choice_names(Choice{})) labels.emplace_back(label);
    symbols.add_constant(name, symbolic::ValueType::label, static_cast<double>(chosen),
                         symbolic::label_resolver(labels));
}

}  // namespace

Conditions::Conditions(const TemplateOptions& options, config::Diagnostics& diagnostics)
    : diagnostics_{diagnostics} {
    symbols_.add_constant("sequence_parallel", symbolic::ValueType::flag, options.sequence_parallel ? 1 : 0);
    add_choice("attention", options.stack.attention, symbols_);
    add_choice("mode", options.mode, symbols_);
}

bool Conditions::holds(const std::string& condition, const config::Location& where) const {
    if (condition.empty()) return true;
    try {
        return symbolic::Expression::parse(condition, symbols_).holds({});
    } catch (const symbolic::ExpressionError& error) {
        diagnostics_.error(where, "", error.what());
        return false;
    }
}

}  // namespace dse::frontend
