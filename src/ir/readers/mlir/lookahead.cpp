#include "ir/readers/mlir/lookahead.hpp"

#include <algorithm>
#include <array>

namespace dse::ir::mlir {
namespace {

bool is_terminator(std::string_view word) {
    const std::string_view last = word.substr(word.find_last_of('.') + 1);
    return last == "return" || last == "yield";
}

}  // namespace

bool is_bare_operation(std::string_view word) {
    static constexpr std::array<std::string_view, 4> bare{"return", "call", "func", "module"};
    return std::find(bare.begin(), bare.end(), word) != bare.end();
}

bool at_operation(Tokens& tokens) {
    const std::size_t begin = tokens.position();
    const std::string_view word = tokens.identifier();
    tokens.move_to(begin);
    return word.find('.') != std::string_view::npos || is_bare_operation(word);
}

// Whether '{' opens a region with operations, rather than `key = value`.
bool at_region(Tokens& tokens) {
    const std::size_t begin = tokens.position();
    tokens.advance();
    tokens.skip();
    const char c = tokens.peek();
    bool region = c == '%' || c == '^';
    if (c == '"') {
        tokens.quoted();
        tokens.skip();
        region = tokens.peek() == '(';
    } else if (is_letter(c)) {
        const std::string_view word = tokens.identifier();
        tokens.skip();
        const char next = tokens.peek();
        region = next == '}' ? is_terminator(word) : next != '=' && next != ',';
    }
    tokens.move_to(begin);
    return region;
}

bool at_axes(Tokens& tokens) {
    const std::size_t begin = tokens.position();
    tokens.advance();
    tokens.skip();
    bool axes = tokens.peek() == '"';
    if (axes) {
        tokens.quoted();
        tokens.skip();
        axes = tokens.peek() != '=';
    }
    tokens.move_to(begin);
    return axes;
}

}  // namespace dse::ir::mlir
