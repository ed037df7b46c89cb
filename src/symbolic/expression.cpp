#include "dse/symbolic/expression.hpp"

#include "symbolic/compiler.hpp"

namespace dse::symbolic {

Expression Expression::parse(std::string_view text, const SymbolTable& symbols, const TextResolver& result) {
    return compile(ParsedExpression::parse(text), symbols, result);
}

Expression Expression::compile(const ParsedExpression& parsed, const SymbolTable& symbols,
                               const TextResolver& result) {
    return Expression(std::make_shared<const Program>(symbolic::compile(parsed.tree(), symbols, result)));
}

double Expression::evaluate(std::span<const double> values) const noexcept {
    return program_->run(values);
}

ValueType Expression::type() const {
    return program_->type;
}

const std::string& Expression::text() const {
    return program_->text;
}

const std::vector<std::size_t>& Expression::slots() const {
    return program_->slots;
}

}  // namespace dse::symbolic
