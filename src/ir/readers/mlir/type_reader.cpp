#include "ir/readers/mlir/type_reader.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "dse/base/lower_case.hpp"
#include "dse/base/nearest.hpp"

namespace dse::ir::mlir {
namespace {

// Maximum nesting of tuples; also ends aliases that refer to themselves.
constexpr int deepest_type = 64;

// "i32", "si32", "ui32"; widths that HLO does not have become integers of unknown size.
std::optional<ElementType> integer_type(std::string_view name) {
    const bool is_unsigned = name.starts_with('u');
    if (is_unsigned || name.starts_with('s')) name.remove_prefix(1);
    if (!name.starts_with('i')) return std::nullopt;
    const std::string_view width = name.substr(1);
    if (width.empty() || width.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    if (width == "1" && !is_unsigned) return ElementType::pred;
    return element_type((is_unsigned ? "u" : "s") + std::string{width}).value_or(ElementType::unknown);
}

std::optional<ElementType> element_of(std::string_view name) {
    if (name == "index") return ElementType::s64;
    if (name.starts_with('f') || name == "bf16" || name == "tf32") return element_type(lower_case(name));
    return integer_type(name);
}

std::string nearest_element(std::string_view name) {
    return suggestion(name, {"bf16", "f16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2", "complex", "index",
                             "i1", "i8", "i32", "i64", "ui8", "ui32"});
}

bool starts_number(char c) {
    return (c >= '0' && c <= '9') || c == '?' || c == '[';
}

// Bounds of dynamic dimensions: `#stablehlo.bounds<4, ?>`, `#stablehlo.type_extensions<bounds = [4, ?]>`.
void read_bounds(Type& type, std::string_view encoding) {
    const std::size_t named = encoding.find("bounds");
    if (named == std::string_view::npos) return;
    std::size_t at = encoding.find_first_of("<[", named);
    for (std::int64_t& size : type.sizes) {
        if (at == std::string_view::npos) return;
        ++at;
        while (at < encoding.size() && encoding[at] == ' ') ++at;
        std::int64_t bound = 0;
        bool digits = false;
        for (; at < encoding.size() && encoding[at] >= '0' && encoding[at] <= '9' && bound < (1LL << 48);
             ++at) {
            bound = bound * 10 + (encoding[at] - '0');
            digits = true;
        }
        if (size == unknown_size && digits) size = bound;
        at = encoding.find(',', at);
    }
}

}  // namespace

bool TypeReader::at_type(const Tokens& tokens) {
    const char c = tokens.peek();
    return c == '!' || c == '(' || (c >= 'a' && c <= 'z');
}

bool TypeReader::read_again(Tokens& tokens, TypeId& id) const {
    const std::string_view rest = tokens.rest();
    for (const Recent& recent : recent_) {
        const std::size_t size = recent.text.size();
        if (size == 0 || size > rest.size() || rest[size - 1] != '>' || !rest.starts_with(recent.text))
            continue;
        tokens.advance(recent.text.size());
        id = recent.id;
        return true;
    }
    return false;
}

// Without a closing bracket, a text may be the beginning of another type.
void TypeReader::remember(std::string_view text, TypeId id) {
    if (!text.ends_with('>')) return;
    recent_[oldest_] = {text, id};
    oldest_ = (oldest_ + 1) % recent_.size();
}

TypeId TypeReader::read(Tokens& tokens) {
    tokens.skip();
    if (TypeId id; read_again(tokens, id)) return id;
    const std::size_t begin = tokens.position();
    if (tokens.peek() == '(') return function(tokens);
    if (tokens.peek() == '!') {
        tokens.advance();
        tokens.suffix();
    } else {
        const std::string_view word = tokens.identifier();
        if (word.empty()) tokens.refuse(fmt::format("expected a type, found {}", tokens.found()));
        // People also write `tensor <8xf32>`.
        if (word == "tensor" || word == "memref" || word == "vector") tokens.skip();
    }
    if (tokens.peek() == '<') tokens.bracketed();
    const std::string_view text = tokens.since(begin);
    const auto found = known_.find(text);
    if (found != known_.end()) {
        remember(text, found->second);
        return found->second;
    }
    const std::size_t end = tokens.position();
    tokens.move_to(begin);
    if (++depth_ > deepest_type) tokens.refuse("types are nested too deeply");
    const TypeId id = parse(tokens);
    --depth_;
    tokens.move_to(end);
    known_.emplace(text, id);
    remember(text, id);
    return id;
}

// `(T, T) -> T`
TypeId TypeReader::function(Tokens& tokens) {
    tokens.bracketed();
    if (tokens.accept("->"))
        tokens.peek() == '(' ? static_cast<void>(tokens.bracketed()) : void(tokens.value());
    return of_kind(Type::Kind::opaque);
}

TypeId TypeReader::parse(Tokens& tokens) {
    const std::size_t begin = tokens.position();
    if (tokens.peek() == '!') return foreign(tokens);
    const std::string_view word = tokens.identifier();
    if (word == "tensor" || word == "memref" || word == "vector") return shaped(tokens);
    if (word == "tuple") return tuple(tokens);
    if (word == "none") return of_kind(Type::Kind::opaque);
    tokens.move_to(begin);
    return scalar(element(tokens));
}

TypeId TypeReader::shaped(Tokens& tokens) {
    tokens.expect('<');
    Type type;
    tokens.skip();
    if (tokens.peek() == '*') {
        tokens.advance();
        tokens.expect('x');
        type.ranked = false;
        type.dynamic = true;
    }
    for (tokens.skip(); starts_number(tokens.peek()); tokens.skip()) {
        if (tokens.accept('?')) {
            type.sizes.push_back(unknown_size);
            type.dynamic = true;
        } else {
            const bool scalable = tokens.accept('[');  // dimension of a vector
            type.sizes.push_back(tokens.integer());
            if (scalable) tokens.expect(']');
        }
        tokens.expect('x');
    }
    type.element = element(tokens);
    if (tokens.accept(',')) {
        const std::size_t encoding = tokens.position();
        while (!tokens.at_end() && tokens.peek() != '>') {
            tokens.value();
            if (!tokens.accept(',')) break;
        }
        read_bounds(type, tokens.since(encoding));
    }
    tokens.expect('>');
    return types_.add(std::move(type));
}

TypeId TypeReader::tuple(Tokens& tokens) {
    tokens.expect('<');
    Type type;
    type.kind = Type::Kind::tuple;
    while (!tokens.accept('>')) {
        type.members.push_back(read(tokens));
        tokens.skip();
        if (tokens.peek() != '>') tokens.expect(',');
    }
    return types_.add(std::move(type));
}

// Tensors of other dialects have shapes as in `!torch.vtensor<[2,3],f32>`.
TypeId TypeReader::foreign(Tokens& tokens) {
    const std::size_t begin = tokens.position();
    tokens.advance();
    tokens.suffix();
    const std::string_view name = tokens.since(begin);
    if (const auto alias = aliases_.find(name); alias != aliases_.end()) {
        tokens.move_to(tokens.offset(alias->second));
        return read(tokens);
    }
    if (name.size() > 6 && name.substr(name.size() - 6) == ".token") return of_kind(Type::Kind::token);
    if (name != "!torch.vtensor" || !tokens.accept('<') || !tokens.accept('['))
        return of_kind(Type::Kind::opaque);
    Type type;
    while (!tokens.accept(']')) {
        if (tokens.accept('?')) {
            type.sizes.push_back(unknown_size);
            type.dynamic = true;
        } else {
            type.sizes.push_back(tokens.integer());
        }
        tokens.accept(',');
    }
    if (tokens.accept(',')) type.element = element(tokens);
    return types_.add(std::move(type));
}

TypeId TypeReader::of_kind(Type::Kind kind) {
    Type type;
    type.kind = kind;
    return types_.add(std::move(type));
}

TypeId TypeReader::scalar(ElementType element) {
    Type type;
    type.element = element;
    return types_.add(std::move(type));
}

ElementType TypeReader::element(Tokens& tokens) {
    tokens.skip();
    const std::size_t begin = tokens.position();
    if (tokens.peek() == '!') {
        // A quantized element is stored as its first type: `!quant.uniform<i8:f32, 2.0:15>`.
        tokens.advance();
        const std::string_view name = tokens.suffix();
        ElementType stored = ElementType::unknown;
        if (tokens.peek() == '<') {
            const std::size_t opening = tokens.position();
            if (name.substr(0, 6) == "quant.") {
                tokens.advance();
                stored = element_of(tokens.word()).value_or(ElementType::unknown);
                tokens.move_to(opening);
            }
            tokens.bracketed();
        }
        return stored;
    }
    const std::string_view word = tokens.word();
    if (word == "complex") {
        tokens.expect('<');
        const bool is_double = tokens.word() == "f64";
        tokens.expect('>');
        return is_double ? ElementType::c128 : ElementType::c64;
    }
    const auto known = element_of(word);
    if (!known) {
        tokens.move_to(begin);
        tokens.refuse(fmt::format("'{}' is not an element type{}",
                                  word.empty() ? tokens.found() : std::string{word}, nearest_element(word)));
    }
    return *known;
}

}  // namespace dse::ir::mlir
