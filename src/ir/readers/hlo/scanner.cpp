#include "scanner.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace dse::ir::hlo {
namespace {

// Memory is released in pieces of this many bytes.
constexpr std::size_t piece = std::size_t{1} << 20U;

constexpr auto name_characters = [] {
    std::array<bool, 256> result{};
    for (std::size_t c = 0; c < result.size(); ++c)
        result[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                    c == '.' || c == '-' || c == '$';
    return result;
}();

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

constexpr bool in_name(char c) {
    return name_characters[static_cast<unsigned char>(c)];
}

}  // namespace

void Scanner::skip() {
    const std::string_view text = cursor_.text();
    std::size_t at = cursor_.position();
    for (;;) {
        while (at < text.size() && is_blank(text[at])) ++at;
        cursor_.move_to(at);
        if (at >= text.size() || text[at] != '/') return;
        if (cursor_.peek(1) != '*' && cursor_.peek(1) != '/') return;
        skip_comment();
        at = cursor_.position();
    }
}

void Scanner::skip_comment() {
    if (cursor_.peek(1) == '/') return cursor_.skip_line();
    const std::size_t end = cursor_.text().find("*/", cursor_.position() + 2);
    if (end == std::string_view::npos) refuse("unterminated comment");
    cursor_.move_to(end + 2);
}

bool Scanner::at_end() {
    skip();
    return cursor_.at_end();
}

char Scanner::peek() {
    skip();
    return cursor_.peek();
}

bool Scanner::accept(char character) {
    skip();
    if (cursor_.at_end() || cursor_.peek() != character) return false;
    cursor_.advance();
    return true;
}

bool Scanner::accept(std::string_view text) {
    skip();
    return cursor_.accept(text);
}

bool Scanner::accept_word(std::string_view word) {
    skip();
    if (cursor_.rest().substr(0, word.size()) != word || in_name(cursor_.peek(word.size()))) return false;
    cursor_.advance(word.size());
    return true;
}

void Scanner::expect(char character) {
    if (!accept(character)) refuse_expected(fmt::format("'{}'", character));
}

void Scanner::expect(std::string_view text) {
    if (!accept(text)) refuse_expected(fmt::format("'{}'", text));
}

std::string_view Scanner::word() {
    skip();
    const std::string_view text = cursor_.text();
    const std::size_t begin = cursor_.position();
    std::size_t end = begin;
    while (end < text.size() && in_name(text[end])) {
        if (text[end] == '-' && end + 1 < text.size() && text[end + 1] == '>') break;
        ++end;
    }
    cursor_.move_to(end);
    return text.substr(begin, end - begin);
}

std::string_view Scanner::name() {
    accept('%');
    const std::string_view result = word();
    if (result.empty()) refuse_expected("a name");
    return result;
}

std::int64_t Scanner::integer() {
    skip();
    if (cursor_.at_end()) refuse_expected("an integer");
    return cursor_.integer();
}

Sizes Scanner::sizes() {
    Sizes result;
    expect('{');
    if (accept('}')) return result;
    do result.push_back(integer());
    while (accept(','));
    expect('}');
    return result;
}

std::string_view Scanner::quoted() {
    skip();
    return cursor_.quoted();
}

std::string_view Scanner::enclosed() {
    const char open = peek();
    const std::size_t begin = position();
    if (open != '(' && open != '[' && open != '{') refuse_expected("an opening bracket");
    const char close = open == '(' ? ')' : static_cast<char>(open + 2);
    const std::string_view text = cursor_.text();
    std::size_t depth = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            cursor_.move_to(at);
            cursor_.quoted();
            at = cursor_.position() - 1;
        } else if (c == open) {
            ++depth;
        } else if (c == close && --depth == 0) {
            cursor_.move_to(at + 1);
            return text.substr(begin + 1, at - begin - 1);
        }
    }
    refuse(begin, fmt::format("the bracket '{}' is not closed (is the file cut off?)", open));
}

std::string_view Scanner::value() {
    skip();
    const std::size_t begin = position();
    for (;;) {
        const char c = adjacent();
        if (c == '(' || c == '[' || c == '{') {
            enclosed();
        } else if (c == '"') {
            cursor_.quoted();
        } else if (c == '\0' || c == ',' || c == ')' || c == '}' || is_blank(c)) {
            break;
        } else {
            cursor_.advance();
        }
    }
    if (position() == begin) refuse_expected("a value");
    return since(begin);
}

void Scanner::skip_literal() {
    const std::string_view text = cursor_.text();
    const std::size_t begin = position();
    std::int64_t depth = 1;
    for (std::size_t at = begin; at < text.size();) {
        const std::size_t end = std::min(at + piece, text.size());
        while (at < end) {
            const char* from = text.data() + at;
            const auto* close = static_cast<const char*>(std::memchr(from, ')', end - at));
            const char* to = close == nullptr ? text.data() + end : close;
            depth += std::count(from, to, '(');
            at = static_cast<std::size_t>(to - text.data());
            if (close == nullptr) break;
            if (--depth == 0) return move_to(at);
            ++at;
        }
        // Lines are counted now, so that these pages need not be read again.
        cursor_.move_to(at);
        (void)cursor_.line();
        release_behind();
    }
    refuse(begin, "the constant is not closed by ')' (is the file cut off?)");
}

void Scanner::release_behind() {
    if (position() < released_ + piece) return;
    cursor_.source().release(released_, position());
    released_ = position();
}

void Scanner::refuse(std::size_t position, std::string_view reason) const {
    cursor_.source().refuse(position, reason);
}

void Scanner::refuse_expected(std::string_view what) {
    const bool end = at_end();
    refuse(
        fmt::format("expected {}, found {}{}", what, cursor_.found(), end ? " (is the file cut off?)" : ""));
}

}  // namespace dse::ir::hlo
