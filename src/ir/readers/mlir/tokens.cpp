#include "ir/readers/mlir/tokens.hpp"

#include <array>

#include <fmt/format.h>

#include "ir/readers/characters.hpp"

namespace dse::ir::mlir {
namespace {

constexpr auto name_characters = [] {
    std::array<bool, 256> result{};
    for (std::size_t c = 0; c < result.size(); ++c) {
        const char character = static_cast<char>(c);
        result[c] = is_letter(character) || is_digit(character) || character == '.' || character == '$';
    }
    return result;
}();

constexpr std::string_view hexadecimal = "0123456789abcdefABCDEF";

bool is_opening(char c) {
    return c == '[' || c == '{' || c == '<' || c == '(';
}

}  // namespace

std::string_view unquoted(std::string_view text) {
    return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::string unescaped(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        ++i;
        const std::string_view digits = text.substr(i, 2);
        if (digits.size() == 2 && digits.find_first_not_of(hexadecimal) == std::string_view::npos) {
            result += static_cast<char>(std::stoi(std::string{digits}, nullptr, 16));
            ++i;
        } else {
            result += text[i];
        }
    }
    return result;
}

bool Tokens::skip_more_lines() {
    const std::string_view text = this->text();
    std::size_t place = position();
    bool ended = false;
    for (;;) {
        for (; place < text.size(); ++place) {
            const char c = text[place];
            if (c != ' ' && c != '\n' && c != '\t' && c != '\r') break;
            ended = ended || c == '\n';
        }
        move_to(place);
        if (peek() != '/' || peek(1) != '/' || at_split()) return ended;
        skip_line();
        place = position();
        ended = true;
    }
}

bool Tokens::accept(char character) {
    skip();
    if (peek() != character || at_end()) return false;
    advance();
    return true;
}

bool Tokens::accept(std::string_view punctuation) {
    skip();
    if (peek() != punctuation.front() || !rest().starts_with(punctuation)) return false;
    advance(punctuation.size());
    return true;
}

void Tokens::expect(char character) {
    skip();
    Cursor::expect(character);
}

void Tokens::expect(std::string_view punctuation) {
    skip();
    Cursor::expect(punctuation);
}

bool Tokens::accept_word(std::string_view word) {
    skip();
    if (peek() != word.front() || !rest().starts_with(word)) return false;
    const char next = peek(word.size());
    if (is_letter(next) || is_digit(next) || next == '.' || next == '$') return false;
    advance(word.size());
    return true;
}

std::int64_t Tokens::integer() {
    skip();
    return Cursor::integer();
}

std::string_view Tokens::quoted() {
    skip();
    return Cursor::quoted();
}

std::string_view Tokens::bracketed() {
    skip();
    return Cursor::bracketed();
}

std::string_view Tokens::name() {
    const std::string_view text = this->text();
    const std::size_t begin = position();
    std::size_t end = begin;
    while (end < text.size() && name_characters[static_cast<unsigned char>(text[end])]) ++end;
    move_to(end);
    return text.substr(begin, end - begin);
}

std::string_view Tokens::identifier() {
    return is_letter(peek()) ? name() : std::string_view{};
}

std::string_view Tokens::suffix() {
    const std::size_t begin = position();
    for (;;) {
        name();
        if (peek() != '-' || peek(1) == '>') return since(begin);
        advance();
    }
}

std::string_view Tokens::symbol() {
    expect('@');
    const std::size_t begin = position();
    for (;;) {
        if (peek() == '"')
            quoted();
        else if (suffix().empty())
            refuse(fmt::format("expected a symbol's name, found {}", found()));
        if (peek() != ':' || peek(1) != ':' || peek(2) != '@') return unquoted(since(begin));
        advance(3);
    }
}

void Tokens::skip_location() {
    if (accept_word("loc")) bracketed();
}

// Elements are numbers, brackets and quoted texts: a '>' before the end can only be in a quoted text.
void Tokens::dense() {
    const std::size_t begin = position();
    find('>', '"');
    if (peek() == '>') {
        advance();
        return;
    }
    move_to(begin);
    bracketed();
}

std::string_view Tokens::value() {
    skip();
    const std::size_t begin = position();
    const char c = peek();
    if (c == '(') {
        bracketed();
        const std::size_t end = position();
        if (accept("->")) {  // a function type
            value();
            return since(begin);
        }
        move_to(end);
    } else if (is_opening(c)) {
        bracketed();
    } else if (c == '"') {
        quoted();
    } else if (c == '@') {
        symbol();
    } else if (c == '#' || c == '!') {
        advance();
        suffix();
        if (peek() == '<') bracketed();
    } else if (is_letter(c)) {
        const std::string_view word = identifier();
        if (peek() == '<') word == "dense" ? dense() : static_cast<void>(bracketed());
        if (peek() == '(') bracketed();
    } else if (is_digit(c) || c == '-' || c == '+' || c == '?') {
        advance();
        word(".");
        if ((peek() == '+' || peek() == '-') && is_digit(peek(1))) {  // 1.0e+00
            advance();
            word();
        }
    } else {
        refuse(fmt::format("expected an attribute, found {}", found()));
    }
    for (;;) {
        const std::size_t end = position();
        skip();
        if (peek() == 'x')
            advance();
        else if (peek() == '-' && peek(1) == '>')
            advance(2);
        else {
            move_to(end);
            return since(begin);
        }
        skip();
        if (peek() != '[') {
            move_to(end);
            return since(begin);
        }
        bracketed();
    }
}

std::string_view Tokens::typed_value() {
    skip();
    const std::size_t begin = position();
    value();
    std::size_t end = position();
    if (accept(':')) {
        value();
        end = position();
    }
    move_to(end);
    return since(begin);
}

}  // namespace dse::ir::mlir
