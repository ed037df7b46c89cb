#include "ir/readers/cursor.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "dse/config/source_text.hpp"
#include "ir/readers/characters.hpp"

namespace dse::ir {
namespace {

// Pages of longer quoted or bracketed texts are released once they have been passed.
constexpr std::size_t long_text = std::size_t{1} << 20U;

constexpr auto word_characters = [] {
    std::array<bool, 256> result{};
    for (int c = 0; c < 256; ++c)
        result[static_cast<std::size_t>(c)] =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return result;
}();

// Characters that matter in a search for a closing bracket.
constexpr auto bracket_characters = [] {
    std::array<bool, 256> result{};
    for (const char c : std::string_view{"\"()[]{}<>/"}) result[static_cast<unsigned char>(c)] = true;
    return result;
}();

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

constexpr bool is_opening(char c) {
    return c == '(' || c == '[' || c == '{' || c == '<';
}

// For a few characters; std::string_view::find would call the library for each.
constexpr bool is_one_of(char c, std::string_view few) {
    for (const char one : few)
        if (one == c) return true;
    return false;
}

}  // namespace

void Cursor::skip_blanks() {
    while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
}

void Cursor::skip_spaces() {
    while (position_ < text_.size() && is_blank(text_[position_]) && text_[position_] != '\n') ++position_;
}

void Cursor::skip_line() {
    const std::size_t end = text_.find('\n', position_);
    position_ = end == std::string_view::npos ? text_.size() : end + 1;
}

bool Cursor::accept(char character) {
    skip_blanks();
    if (peek() != character || at_end()) return false;
    ++position_;
    return true;
}

bool Cursor::accept(std::string_view word) {
    skip_blanks();
    if (rest().substr(0, word.size()) != word) return false;
    position_ += word.size();
    return true;
}

void Cursor::expect(char character) {
    if (!accept(character)) refuse(fmt::format("expected '{}', found {}", character, found()));
}

void Cursor::expect(std::string_view word) {
    if (!accept(word)) refuse(fmt::format("expected '{}', found {}", word, found()));
}

std::string_view Cursor::word(std::string_view more) {
    const std::size_t begin = position_;
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (!word_characters[static_cast<unsigned char>(c)] && !is_one_of(c, more)) break;
        ++position_;
    }
    return since(begin);
}

std::int64_t Cursor::integer() {
    skip_blanks();
    std::int64_t value = 0;
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) refuse("the integer is too large");
    if (error != std::errc{}) refuse(fmt::format("expected an integer, found {}", found()));
    position_ += static_cast<std::size_t>(end - begin);
    return value;
}

bool Cursor::find(char one, char other) {
    for (;;) {
        const std::size_t end = std::min(text_.size(), position_ + long_text);
        const std::string_view window = text_.substr(position_, end - position_);
        const std::size_t first = window.find(one);
        const std::size_t found = one == other ? first : std::min(first, window.substr(0, first).find(other));
        if (found != std::string_view::npos) {
            position_ += found;
            return true;
        }
        const std::size_t begin = position_;
        position_ = end;
        static_cast<void>(line());  // counted now, while the pages are in memory
        if (end == text_.size()) return false;
        source_.release(begin, end);
    }
}

std::string_view Cursor::quoted() {
    const std::size_t begin = position_;
    expect('"');
    const std::size_t content = position_;
    for (;;) {
        if (!find('"', '"')) {
            position_ = begin;
            refuse("unterminated string");
        }
        const std::size_t quote = position_++;
        std::size_t backslashes = 0;
        while (quote - backslashes > content && text_[quote - backslashes - 1] == '\\') ++backslashes;
        if (backslashes % 2 == 0) break;
    }
    if (position_ - begin > long_text) source_.release(begin, position_);
    return text_.substr(content, position_ - 1 - content);
}

std::string_view Cursor::bracketed() {
    skip_blanks();
    const std::size_t begin = position_;
    if (!is_opening(peek())) refuse(fmt::format("expected an opening bracket, found {}", found()));
    std::size_t depth = 0;
    for (;;) {
        std::size_t next = position_;
        while (next < text_.size() && !bracket_characters[static_cast<unsigned char>(text_[next])]) ++next;
        if (next == text_.size()) {
            position_ = begin;
            refuse(fmt::format("the bracket '{}' is not closed", peek()));
        }
        position_ = next;
        const char c = text_[next];
        if (c == '"') {
            quoted();
            continue;
        }
        ++position_;
        if (c == '/') {
            if (peek() == '/') skip_line();
        } else if (is_opening(c)) {
            ++depth;
        } else if (c != '>' || text_[next - 1] != '-') {
            if (--depth == 0) break;
        }
    }
    if (position_ - begin > long_text) source_.release(begin, position_);
    return text_.substr(begin + 1, position_ - begin - 2);
}

std::uint32_t Cursor::line() {
    if (position_ < counted_) {
        counted_ = 0;
        line_ = 1;
    }
    std::string_view passed = text_.substr(counted_, position_ - counted_);
    for (std::size_t end = passed.find('\n'); end != std::string_view::npos; end = passed.find('\n')) {
        passed.remove_prefix(end + 1);
        ++line_;
    }
    counted_ = position_;
    return line_;
}

void Cursor::refuse(std::string_view reason) const {
    source_.refuse(position_, reason);
}

std::string Cursor::found() const {
    if (at_end()) return "the end of the text";
    constexpr std::size_t shown = 24;
    const std::string_view next = rest();
    const std::size_t end = std::min({next.find('\n'), shown, next.size()});
    return fmt::format("'{}'", config::excerpt(next.substr(0, std::max<std::size_t>(end, 1))));
}

}  // namespace dse::ir
