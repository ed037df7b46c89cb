#include "symbolic/token.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dse/symbolic/expression_error.hpp"
#include "dse/symbolic/symbol_table.hpp"

namespace dse::symbolic {

namespace {

constexpr std::array<std::string_view, 5> words{"and", "or", "not", "if", "else"};
constexpr std::array<std::string_view, 4> truths{"true", "false", "True", "False"};

// Longer symbols first: "**" is not two products.
constexpr std::array<std::string_view, 22> symbols{"**", "//", "==", "!=", "<=", ">=", "&&", "||",
                                                   "+",  "-",  "*",  "/",  "%",  "^",  "<",  ">",
                                                   "!",  "(",  ")",  ",",  "?",  ":"};

// Not <cctype>: the language is ASCII, regardless of the locale.
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Tokenizer {
  public:
    explicit Tokenizer(std::string_view text) : text_{text} {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        do {
            tokens.push_back(next());
        } while (tokens.back().kind != TokenKind::end);
        return tokens;
    }

  private:
    Token next() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
        if (at_ == text_.size()) return {TokenKind::end, {}, at_};
        const char c = peek(0);
        if (is_letter(c)) return name();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (c == '\'' || c == '"') return quoted();
        return symbol();
    }

    Token name() {
        const std::size_t begin = at_;
        // A dot belongs to a name only between its parts.
        while (is_letter(peek(0)) || is_digit(peek(0)) || (peek(0) == '.' && is_letter(peek(1)))) ++at_;
        const Token token = since(begin, TokenKind::name);
        const bool word = std::find(words.begin(), words.end(), token.text) != words.end();
        return word ? Token{TokenKind::symbol, token.text, begin} : token;
    }

    Token number() {
        const std::size_t begin = at_;
        digits();
        if (peek(0) == '.') {
            ++at_;
            digits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            const std::size_t sign = (peek(1) == '+' || peek(1) == '-') ? 1 : 0;
            if (is_digit(peek(1 + sign))) {
                at_ += 1 + sign;
                digits();
            }
        }
        if (is_letter(peek(0)) || peek(0) == '.') {
            throw ExpressionError(
                text_, begin,
                "a number ends in a letter or a second point (a quantity is written in quotes, "
                "compared with a name: bandwidth >= '400 Gbps')");
        }
        return since(begin, TokenKind::number);
    }

    Token quoted() {
        const char quote = text_[at_];
        const std::size_t begin = at_ + 1;
        const std::size_t end = text_.find(quote, begin);
        if (end == std::string_view::npos) {
            throw ExpressionError(text_, at_, fmt::format("this {} has no closing one", quote));
        }
        at_ = end + 1;
        return {TokenKind::text, text_.substr(begin, end - begin), begin - 1};
    }

    Token symbol() {
        for (const std::string_view candidate : symbols) {
            if (text_.substr(at_, candidate.size()) == candidate) {
                const std::size_t begin = at_;
                at_ += candidate.size();
                return since(begin, TokenKind::symbol);
            }
        }
        throw ExpressionError(text_, at_, problem_at(text_[at_]));
    }

    static std::string problem_at(char c) {
        if (c == '=') return "'=' is not an operator here (compare with '==')";
        if (c == '&' || c == '|')
            return fmt::format("'{0}' is not an operator here (did you mean '{0}{0}'?)", c);
        const auto code = static_cast<unsigned char>(c);
        if (code > 0x20 && code < 0x7f) return fmt::format("unexpected character '{}'", c);
        return fmt::format("unexpected character (byte 0x{:02x})", static_cast<unsigned>(code));
    }

    void digits() {
        while (is_digit(peek(0))) ++at_;
    }
    [[nodiscard]] char peek(std::size_t ahead) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    [[nodiscard]] Token since(std::size_t begin, TokenKind kind) const {
        return {kind, text_.substr(begin, at_ - begin), begin};
    }

    std::string_view text_;
    std::size_t at_{0};
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
    return Tokenizer(text).run();
}

bool is_reserved(std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end() ||
           std::find(truths.begin(), truths.end(), word) != truths.end();
}

bool is_symbol_name(std::string_view text) {
    if (text.empty() || !is_letter(text.front()) || text.back() == '.') return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dot = text[i] == '.' && is_letter(text[i + 1]);
        if (!is_letter(text[i]) && !is_digit(text[i]) && !dot) return false;
    }
    return !is_reserved(text);
}

}  // namespace dse::symbolic
