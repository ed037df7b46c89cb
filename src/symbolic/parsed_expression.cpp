#include "dse/symbolic/parsed_expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/symbolic/expression_error.hpp"
#include "symbolic/syntax_tree.hpp"
#include "symbolic/token.hpp"

namespace dse::symbolic {

namespace {

// Bounds that no handwritten formula reaches; they limit recursion and time for arbitrary text.
constexpr std::size_t longest_text = 4096;
constexpr int deepest_nesting = 128;

/// Operator precedence; larger binds tighter.
enum Precedence : int {
    lowest = 0,
    disjunction = 1,
    conjunction = 2,
    negation = 3,
    comparison = 4,
    sum = 5,
    product = 6,
    sign = 7,
    exponent = 8,
};

struct BinaryOperator {
    std::string_view symbol;
    int precedence;
    Operation operation;
};

constexpr std::array<BinaryOperator, 18> binary_operators{{
    {"or", disjunction, Operation::logical_or},
    {"||", disjunction, Operation::logical_or},
    {"and", conjunction, Operation::logical_and},
    {"&&", conjunction, Operation::logical_and},
    {"==", comparison, Operation::equal},
    {"!=", comparison, Operation::not_equal},
    {"<", comparison, Operation::less},
    {"<=", comparison, Operation::less_equal},
    {">", comparison, Operation::greater},
    {">=", comparison, Operation::greater_equal},
    {"+", sum, Operation::add},
    {"-", sum, Operation::subtract},
    {"*", product, Operation::multiply},
    {"/", product, Operation::divide},
    {"//", product, Operation::floor_divide},
    {"%", product, Operation::modulo},
    {"**", exponent, Operation::power},
    {"^", exponent, Operation::power},
}};

struct Function {
    std::string_view name;
    Operation operation;
    bool variadic;  ///< takes one argument or more; else exactly one
};

constexpr std::array<Function, 8> functions{{
    {"min", Operation::minimum, true},
    {"max", Operation::maximum, true},
    {"abs", Operation::absolute, false},
    {"ceil", Operation::ceiling, false},
    {"floor", Operation::floor, false},
    {"round", Operation::round, false},
    {"sqrt", Operation::square_root, false},
    {"log2", Operation::log2, false},
}};

/// Precedence climbing over the tokens of one expression.
class Parser {
  public:
    explicit Parser(std::string_view text) : tokens_{tokenize(text)} { tree_.text = std::string(text); }

    SyntaxTree run() {
        if (current().kind == TokenKind::end) fail("the expression is empty");
        expression();
        if (current().kind != TokenKind::end)
            fail(fmt::format("unexpected {}{}", describe_current(), quoting_hint()));
        return std::move(tree_);
    }

  private:
    /// Counts the nesting depth while a level of the grammar is open.
    class Nesting {
      public:
        explicit Nesting(Parser& parser) : parser_{parser} {
            if (++parser_.depth_ > deepest_nesting) parser_.fail("nested too deeply");
        }
        ~Nesting() { --parser_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

      private:
        Parser& parser_;
    };

    void expression() {
        const Nesting nesting(*this);
        binary(lowest);
        const std::size_t position = current().position;
        if (accept("?")) {
            expression();
            expect(":", "of this '?'", position);
            expression();
            operation(Operation::select, position);
        } else if (accept("if")) {
            binary(lowest);
            expect("else", "of this 'if'", position);
            expression();
            operation(Operation::select_mid, position);
        }
    }

    void binary(int weakest) {
        prefix(weakest);
        bool compared = false;
        while (const BinaryOperator* found = binary_operator()) {
            if (found->precedence <= weakest) break;
            if (found->precedence == comparison && compared) {
                fail("comparisons do not chain (write 'a < b and b < c')");
            }
            compared = found->precedence == comparison;
            const std::size_t position = current().position;
            ++at_;
            const Nesting nesting(*this);
            // Powers are right-associative: 2 ** 3 ** 2 is 2 ** 9.
            binary(found->precedence == exponent ? exponent - 1 : found->precedence);
            operation(found->operation, position);
        }
    }

    void prefix(int weakest) {
        const Nesting nesting(*this);
        const std::size_t position = current().position;
        if (accept("not")) {
            if (weakest >= negation) {
                throw ExpressionError(tree_.text, position, "'not' needs parentheses here");
            }
            binary(negation - 1);
            operation(Operation::logical_not, position);
        } else if (accept("!")) {
            prefix(exponent);
            operation(Operation::logical_not, position);
        } else if (accept("-")) {
            binary(sign);  // -2 ** 2 is -(2 ** 2)
            operation(Operation::negate, position);
        } else if (accept("+")) {
            binary(sign);
        } else {
            primary();
        }
    }

    void primary() {
        const Token token = current();
        if (token.kind == TokenKind::end || (token.kind == TokenKind::symbol && token.text != "(")) {
            fail(fmt::format("expected a value, found {}", describe_current()));
        }
        ++at_;
        switch (token.kind) {
            case TokenKind::number:
                number(token);
                break;
            case TokenKind::text:
                leaf(SyntaxKind::text, token);
                break;
            case TokenKind::name:
                name_or_call(token);
                break;
            default:
                expression();
                expect(")", "of the '('", token.position);
        }
    }

    void name_or_call(const Token& token) {
        if (current().kind == TokenKind::symbol && current().text == "(") {
            call(token);
        } else if (token.text == "true" || token.text == "True") {
            literal(1.0, ValueType::flag, token);
        } else if (token.text == "false" || token.text == "False") {
            literal(0.0, ValueType::flag, token);
        } else {
            const auto known = std::find_if(tree_.names.begin(), tree_.names.end(),
                                            [&](const NameUse& use) { return use.name == token.text; });
            if (known == tree_.names.end()) tree_.names.push_back({std::string(token.text), token.position});
            leaf(SyntaxKind::name, token);
        }
    }

    void call(const Token& name) {
        const Function& function = find_function(name);
        const std::size_t opened = current().position;
        ++at_;
        expression();
        if (!function.variadic) operation(function.operation, name.position);
        while (accept(",")) {
            if (!function.variadic) {
                throw ExpressionError(tree_.text, name.position,
                                      fmt::format("{} takes one argument", function.name));
            }
            expression();
            operation(function.operation, name.position);
        }
        expect(")", "of the '('", opened);
    }

    [[nodiscard]] const Function& find_function(const Token& name) const {
        std::vector<std::string> known;
        for (const Function& function : functions) {
            if (function.name == name.text) return function;
            known.emplace_back(function.name);
        }
        throw ExpressionError(
            tree_.text, name.position,
            fmt::format("unknown function '{}'{}", name.text, suggestion(name.text, known)));
    }

    void number(const Token& token) {
        double value = 0.0;
        const char* end = token.text.data() + token.text.size();
        const auto result = std::from_chars(token.text.data(), end, value);
        if (result.ec != std::errc{} || result.ptr != end) {
            throw ExpressionError(tree_.text, token.position, "the number is too large or too small");
        }
        const bool whole = token.text.find_first_of(".eE") == std::string_view::npos;
        literal(value, whole ? ValueType::integer : ValueType::real, token);
    }

    void literal(double value, ValueType type, const Token& token) {
        push({SyntaxKind::literal, Operation::add, type, token.position, value, {}});
    }

    void leaf(SyntaxKind kind, const Token& token) {
        push({kind, Operation::add, ValueType::integer, token.position, 0.0, std::string(token.text)});
    }

    void operation(Operation operation, std::size_t position) {
        push({SyntaxKind::operation, operation, ValueType::integer, position, 0.0, {}});
    }

    void push(SyntaxNode node) { tree_.nodes.push_back(std::move(node)); }

    [[nodiscard]] const Token& current() const { return tokens_[at_]; }

    [[nodiscard]] const BinaryOperator* binary_operator() const {
        if (current().kind != TokenKind::symbol) return nullptr;
        const auto found =
            std::find_if(binary_operators.begin(), binary_operators.end(),
                         [&](const BinaryOperator& one) { return one.symbol == current().text; });
        return found == binary_operators.end() ? nullptr : &*found;
    }

    bool accept(std::string_view symbol) {
        if (current().kind != TokenKind::symbol || current().text != symbol) return false;
        ++at_;
        return true;
    }

    void expect(std::string_view symbol, std::string_view of_what, std::size_t opened) {
        if (accept(symbol)) return;
        fail(fmt::format("expected the '{}' {} at character {}, found {}", symbol, of_what, opened + 1,
                         describe_current()));
    }

    [[nodiscard]] std::string describe_current() const {
        const Token& token = current();
        if (token.kind == TokenKind::end) return "the end";
        if (token.kind == TokenKind::text) return fmt::format("the text '{}'", token.text);
        return fmt::format("'{}'", token.text);
    }

    /// For 400 Gbps without quotes.
    [[nodiscard]] std::string quoting_hint() const {
        const bool is_unit =
            current().kind == TokenKind::name && at_ > 0 && tokens_[at_ - 1].kind == TokenKind::number;
        if (!is_unit) return {};
        return fmt::format(" (a quantity is written in quotes: '{} {}')", tokens_[at_ - 1].text,
                           current().text);
    }

    [[noreturn]] void fail(const std::string& reason) const {
        throw ExpressionError(tree_.text, current().position, reason);
    }

    std::vector<Token> tokens_;
    SyntaxTree tree_;
    std::size_t at_{0};
    int depth_{0};
};

}  // namespace

ParsedExpression ParsedExpression::parse(std::string_view text) {
    if (text.size() > longest_text) {
        throw ExpressionError(text, longest_text, fmt::format("longer than {} characters", longest_text));
    }
    return ParsedExpression(std::make_shared<const SyntaxTree>(Parser(text).run()));
}

const std::string& ParsedExpression::text() const {
    return tree_->text;
}

const std::vector<NameUse>& ParsedExpression::names() const {
    return tree_->names;
}

}  // namespace dse::symbolic
