#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dse::symbolic {

enum class TokenKind { number, name, text, symbol, end };

/// A token of an expression.
struct Token {
    TokenKind kind{TokenKind::end};
    std::string_view text;  ///< as written; for a text, without its quotes. Words such as "and" are symbols.
    std::size_t position{0};
};

/// Splits an expression into tokens; the last one is `end`. The views point into `text`.
/// \throws ExpressionError at a character that belongs to no token, or a text without its closing quote
std::vector<Token> tokenize(std::string_view text);

/// Whether the word belongs to the language and cannot be a name.
bool is_reserved(std::string_view word);

}  // namespace dse::symbolic
