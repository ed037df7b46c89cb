#include "ir/readers/mlir/attribute_text.hpp"

#include <charconv>

#include <fmt/format.h>

#include "ir/readers/mlir/statement_reader.hpp"

namespace dse::ir::mlir {
namespace {

// Maximum number of integers in an attribute: enough for groups of 65,536 devices in pairs.
constexpr double most_integers = 1 << 24;

}  // namespace

std::string_view AttributeText::resolved(std::string_view text) const {
    for (int i = 0; i < 16 && !text.empty() && text.front() == '#'; ++i) {
        const auto alias = aliases_.find(text);
        if (alias == aliases_.end()) break;
        text = alias->second;
    }
    return text;
}

Tokens& AttributeText::at(std::string_view text) {
    tokens_.move_to(tokens_.offset(text));
    return tokens_;
}

void AttributeText::refuse(std::string_view text, std::string_view reason) {
    at(text).refuse(reason);
}

std::int64_t AttributeText::integer(std::string_view text) {
    const Integers all = integers(text);
    if (all.values.size() != 1) refuse(text, "expected one integer");
    return all.values.front();
}

Integers AttributeText::integers(std::string_view text) {
    Integers result;
    text = resolved(text);
    if (text.empty()) return result;
    at(text);
    if (tokens_.peek() == '[') {
        list(result);
    } else if (tokens_.accept_word("array")) {
        tokens_.expect('<');
        tokens_.identifier();
        if (tokens_.accept(':')) {
            do element(result);
            while (tokens_.accept(','));
        }
        tokens_.expect('>');
    } else if (tokens_.accept_word("dense")) {
        dense(result);
        return result;
    } else {
        element(result);
    }
    return result;
}

void AttributeText::list(Integers& result) {
    std::size_t depth = 0;
    do {
        if (tokens_.accept('[')) {
            ++depth;
        } else if (tokens_.accept(']')) {
            --depth;
        } else {
            element(result);
        }
        tokens_.accept(',');
    } while (depth > 0);
}

void AttributeText::element(Integers& result) {
    tokens_.skip();
    const char first = tokens_.peek();
    if (first == 't' && tokens_.accept_word("true"))
        result.values.push_back(1);
    else if (first == 'f' && tokens_.accept_word("false"))
        result.values.push_back(0);
    else
        result.values.push_back(tokens_.integer());
}

void AttributeText::dense(Integers& result) {
    const std::size_t begin = tokens_.position();
    tokens_.expect('<');
    tokens_.skip();
    std::string_view hex;
    if (tokens_.peek() == '[')
        list(result);
    else if (tokens_.peek() == '"')
        hex = tokens_.quoted();
    else if (tokens_.peek() != '>')
        element(result);
    tokens_.expect('>');
    tokens_.expect(':');
    const TypeId id = types_.read(tokens_);
    const Type& type = types_.types()[id];
    result.shape = type.sizes;
    tokens_.move_to(begin);
    const double elements = types_.types().elements(id);
    if (elements > most_integers) tokens_.refuse("the attribute holds too many integers");
    const auto count = static_cast<std::size_t>(elements);
    if (!hex.empty()) raw_bytes(result, hex, type);
    if (result.values.size() == 1) result.values.assign(count, result.values.front());  // a splat
    if (result.values.size() != count)
        tokens_.refuse(
            fmt::format("{} integers, but the type is {}", result.values.size(), types_.types().text(id)));
}

// MLIR writes long lists as the bytes of their elements in little-endian order.
void AttributeText::raw_bytes(Integers& result, std::string_view hex, const Type& type) {
    const auto bytes = static_cast<std::size_t>(stored_bytes(type.element));
    if (hex.substr(0, 2) != "0x" || bytes == 0 || (hex.size() - 2) % (2 * bytes) != 0)
        tokens_.refuse("the quoted bytes are not a list of such integers");
    hex.remove_prefix(2);
    for (; !hex.empty(); hex.remove_prefix(2 * bytes)) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) {
            unsigned byte = 0;
            const char* digits = hex.data() + 2 * i;
            if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
                tokens_.refuse("the quoted bytes are not hexadecimal digits");
            value |= static_cast<std::uint64_t>(byte) << (8 * i);
        }
        const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
        result.values.push_back(static_cast<std::int64_t>(value << unused) >> unused);
    }
}

std::vector<Statement::Entry> AttributeText::fields(std::string_view text) {
    std::vector<Statement::Entry> result;
    text = resolved(text);
    if (text.empty()) return result;
    at(text);
    if (tokens_.peek() == '{') {
        StatementReader::dictionary(tokens_, result);
        return result;
    }
    if (tokens_.accept('#')) tokens_.suffix();
    tokens_.expect('<');
    tokens_.accept_word("raw");  // in dimension numbers of convolutions
    while (!tokens_.accept('>')) {
        tokens_.skip();
        const std::string_view key = tokens_.identifier();
        if (key.empty()) tokens_.refuse(fmt::format("expected a name or '>', found {}", tokens_.found()));
        result.push_back({key, tokens_.accept('=') ? tokens_.value() : std::string_view{}});
        tokens_.accept(',');
    }
    return result;
}

}  // namespace dse::ir::mlir
