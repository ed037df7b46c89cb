#include "expression.hpp"

#include <array>

#include <fmt/format.h>

#include "ir/readers/characters.hpp"

namespace dse::ir::fx {
namespace {

// Deeper nesting than in any program; limits the use of the stack.
constexpr std::size_t deepest = 100;

// Longest first.
constexpr std::array<std::string_view, 19> operators{"@", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+",
                                                     "-", "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^"};

constexpr bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The infix operator that comes next; empty if there is none, or an assignment (`x += y`).
std::string_view infix_at(const Cursor& cursor) {
    constexpr std::string_view beginnings = "*/<>=!+-%&|^@";
    if (cursor.at_end() || beginnings.find(cursor.peek()) == std::string_view::npos) return {};
    const std::string_view rest = cursor.rest().substr(0, 2);
    for (const std::string_view candidate : operators) {
        if (!rest.starts_with(candidate)) continue;
        return candidate.size() == 1 && rest.ends_with('=') ? std::string_view{} : candidate;
    }
    return {};
}

/// Skips digits, and whatever makes them a non-integer number.
bool skip_number(Cursor& cursor) {
    bool is_integer = true;
    const std::size_t begin = cursor.position();
    for (;; cursor.advance()) {
        const char c = cursor.peek();
        const char before = cursor.position() > begin ? cursor.text()[cursor.position() - 1] : '\0';
        const bool exponent_sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
        if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && c != 'j' && !exponent_sign) return is_integer;
        is_integer = is_integer && is_digit(c);
    }
}

}  // namespace

void skip_blanks_and_comments(Cursor& cursor) {
    for (;;) {
        cursor.skip_blanks();
        if (cursor.peek() != '#') return;
        cursor.skip_line();
    }
}

std::string_view python_text(Cursor& cursor) {
    const std::size_t begin = cursor.position();
    const char quote = cursor.peek();
    if (quote == '"') return cursor.quoted();
    cursor.expect('\'');
    for (; !cursor.at_end() && cursor.peek() != '\n'; cursor.advance()) {
        if (cursor.peek() == '\\') {
            cursor.advance();
        } else if (cursor.peek() == quote) {
            cursor.advance();
            return cursor.text().substr(begin + 1, cursor.position() - begin - 2);
        }
    }
    cursor.move_to(begin);
    cursor.refuse("unterminated string");
}

const Expressions::Node& Expressions::read(Cursor& cursor) {
    nodes_.assign(1, Node{});
    depth_ = 0;
    const std::uint32_t root = expression(cursor);
    return nodes_[root];
}

const Expressions::Node& Expressions::read_tuple(Cursor& cursor) {
    const std::size_t begin = cursor.position();
    const Node& first = read(cursor);
    cursor.skip_spaces();
    if (cursor.peek() != ',') return first;
    const auto head = static_cast<std::uint32_t>(&first - nodes_.data());
    std::uint32_t last = head;
    while (cursor.peek() == ',') {
        cursor.advance();
        cursor.skip_spaces();
        if (cursor.peek() == '\n' || cursor.peek() == '=' || cursor.at_end()) break;
        const std::uint32_t added = expression(cursor);
        nodes_[last].next = added;
        last = added;
        cursor.skip_spaces();
    }
    return nodes_[add(Kind::list, begin, "", head)];
}

std::uint32_t Expressions::add(Kind kind, std::size_t position, std::string_view text, std::uint32_t child) {
    nodes_.push_back({kind, child, 0, static_cast<std::uint32_t>(position), text});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t Expressions::expression(Cursor& cursor) {
    if (++depth_ > deepest) cursor.refuse("brackets are nested too deeply");
    std::uint32_t left = operand(cursor);
    for (;;) {
        cursor.skip_spaces();
        const std::size_t position = cursor.position();
        const std::string_view found = infix_at(cursor);
        if (found.empty()) break;
        cursor.advance(found.size());
        cursor.skip_spaces();
        nodes_[left].next = operand(cursor);
        left = add(Kind::binary, position, found, left);
    }
    --depth_;
    return left;
}

std::uint32_t Expressions::operand(Cursor& cursor) {
    const std::size_t begin = cursor.position();
    const char c = cursor.peek();
    if (c == '-' || c == '~' || c == '*') {
        cursor.advance();
        if (c == '*' && cursor.peek() == '*') cursor.advance();
        if (c == '-' && (is_digit(cursor.peek()) || cursor.peek() == '.')) {
            const bool is_integer = skip_number(cursor);
            return add(is_integer ? Kind::integer : Kind::number, begin, cursor.since(begin));
        }
        if (++depth_ > deepest) cursor.refuse("brackets are nested too deeply");
        const std::uint32_t negated = operand(cursor);
        --depth_;
        return add(Kind::binary, begin, cursor.text().substr(begin, 1), negated);
    }
    return postfix(cursor, primary(cursor));
}

std::uint32_t Expressions::primary(Cursor& cursor) {
    const std::size_t begin = cursor.position();
    const char c = cursor.peek();
    if (starts_name(c)) {
        do {
            cursor.word();
            if (cursor.peek() != '.' || !starts_name(cursor.peek(1))) break;
            cursor.advance();
        } while (true);
        return add(Kind::name, begin, cursor.since(begin));
    }
    if (is_digit(c) || (c == '.' && is_digit(cursor.peek(1)))) {
        const bool is_integer = skip_number(cursor);
        return add(is_integer ? Kind::integer : Kind::number, begin, cursor.since(begin));
    }
    if (c == '\'' || c == '"') return add(Kind::text, begin, python_text(cursor));
    if (c == '.' && cursor.accept("...")) return add(Kind::name, begin, "...");
    if (c == '(' || c == '[' || c == '{') {
        cursor.advance();
        const std::uint32_t first = items(cursor, c == '(' ? ')' : c == '[' ? ']' : '}');
        return add(Kind::list, begin, cursor.text().substr(begin, 1), first);
    }
    cursor.refuse(fmt::format("expected an expression, found {}", cursor.found()));
}

std::uint32_t Expressions::postfix(Cursor& cursor, std::uint32_t node) {
    for (;;) {
        const std::size_t position = cursor.position();
        const char c = cursor.peek();
        if (c == '(' || c == '[') {
            cursor.advance();
            nodes_[node].next = items(cursor, c == '(' ? ')' : ']');
            node = add(c == '(' ? Kind::call : Kind::index, position, "", node);
        } else if (c == '.' && starts_name(cursor.peek(1))) {
            cursor.advance();
            const std::string_view text = cursor.word();
            node = add(Kind::attribute, position, text, node);
        } else {
            return node;
        }
    }
}

std::uint32_t Expressions::item(Cursor& cursor) {
    const std::size_t begin = cursor.position();
    // A slice without a start: x[:, 0].
    if (cursor.peek() == ':') return add(Kind::name, begin, "None");
    const std::uint32_t value = expression(cursor);
    skip_blanks_and_comments(cursor);
    if (cursor.peek() != '=' || cursor.peek(1) == '=' || nodes_[value].kind != Kind::name) return value;
    cursor.advance();
    skip_blanks_and_comments(cursor);
    const std::string_view name = nodes_[value].text;
    const std::uint32_t set = expression(cursor);
    return add(Kind::keyword, begin, name, set);
}

std::uint32_t Expressions::items(Cursor& cursor, char closing) {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    for (;;) {
        skip_blanks_and_comments(cursor);
        if (cursor.peek() == closing) break;
        const std::uint32_t added = item(cursor);
        if (first == 0) first = added;
        if (last != 0) nodes_[last].next = added;
        last = added;
        skip_blanks_and_comments(cursor);
        // Entries of a dictionary and parts of a slice are read as consecutive items.
        if (cursor.peek() != ',' && cursor.peek() != ':') break;
        cursor.advance();
    }
    if (cursor.peek() != closing)
        cursor.refuse(fmt::format("expected ',' or '{}', found {}", closing, cursor.found()));
    cursor.advance();
    return first;
}

const Expressions::Node* Expressions::argument(const Node& node, std::size_t number,
                                               std::string_view name) const {
    const Node* candidate = child(node);
    if (node.kind == Kind::call && candidate != nullptr) candidate = next(*candidate);
    for (std::size_t place = 0; candidate != nullptr; candidate = next(*candidate), ++place) {
        const bool is_keyword = candidate->kind == Kind::keyword;
        if (is_keyword && !name.empty() && candidate->text == name) return child(*candidate);
        if (!is_keyword && place == number) return candidate;
    }
    return nullptr;
}

std::size_t Expressions::children(const Node& node) const {
    std::size_t count = 0;
    for (const Node* each = child(node); each != nullptr; each = next(*each)) ++count;
    return count;
}

}  // namespace dse::ir::fx
