#include "shape_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"

namespace dse::ir::hlo {
namespace {

// Deeper than any program's tuples; limits the use of the stack.
constexpr int deepest_tuple = 128;

std::vector<std::string> element_names() {
    std::vector<std::string> names{"token", "opaque"};
    for (int type = 1; type <= static_cast<int>(ElementType::c128); ++type)
        names.emplace_back(name(static_cast<ElementType>(type)));
    return names;
}

bool is_row_major(const std::vector<std::int64_t>& minor_to_major) {
    for (std::size_t i = 0; i < minor_to_major.size(); ++i)
        if (minor_to_major[i] != static_cast<std::int64_t>(minor_to_major.size() - 1 - i)) return false;
    return true;
}

}  // namespace

bool ShapeReader::next() {
    const char c = scanner_.peek();
    if (c == '(') return true;
    if (c == '%') return false;
    const std::size_t begin = scanner_.position();
    const bool shape = !scanner_.word().empty() && scanner_.adjacent() == '[';
    scanner_.move_to(begin);
    return shape;
}

void ShapeReader::move_over() {
    if (scanner_.peek() == '(') {
        scanner_.enclosed();
        return;
    }
    if (scanner_.word().empty() || scanner_.adjacent() != '[') scanner_.refuse_expected("a shape");
    scanner_.enclosed();
    if (scanner_.adjacent() == '{') scanner_.enclosed();
}

TypeId ShapeReader::read() {
    scanner_.skip();
    const std::size_t begin = scanner_.position();
    move_over();
    const std::uint32_t number = spelled_.add(scanner_.since(begin));
    if (number < read_.size()) return read_[number];
    const std::size_t end = scanner_.position();
    scanner_.move_to(begin);
    const TypeId type = parse(0);
    if (scanner_.position() != end) scanner_.refuse_expected("the end of the shape");
    read_.push_back(type);
    return type;
}

TypeId ShapeReader::parse(int depth) {
    return scanner_.peek() == '(' ? parse_tuple(depth) : parse_array();
}

TypeId ShapeReader::parse_tuple(int depth) {
    if (depth == deepest_tuple) scanner_.refuse("tuples are nested too deeply");
    Type type;
    type.kind = Type::Kind::tuple;
    scanner_.expect('(');
    if (!scanner_.accept(')')) {
        do type.members.push_back(parse(depth + 1));
        while (scanner_.accept(','));
        scanner_.expect(')');
    }
    return types_.add(std::move(type));
}

TypeId ShapeReader::parse_array() {
    scanner_.skip();
    const std::size_t begin = scanner_.position();
    const std::string_view word = scanner_.word();
    Type type;
    if (word == "token") {
        type.kind = Type::Kind::token;
    } else if (word == "opaque") {
        type.kind = Type::Kind::opaque;
    } else if (const std::optional<ElementType> element = element_type(word)) {
        type.element = *element;
    } else {
        scanner_.refuse(begin,
                        fmt::format("unknown element type '{}'{}", word, suggestion(word, element_names())));
    }
    parse_sizes(type);
    if (scanner_.adjacent() == '{') parse_layout(type);
    return types_.add(std::move(type));
}

void ShapeReader::parse_sizes(Type& type) {
    scanner_.expect('[');
    if (scanner_.accept(']')) return;
    do {
        if (scanner_.accept('?')) {
            type.dynamic = true;
            type.sizes.push_back(unknown_size);
            continue;
        }
        if (scanner_.accept("<=")) type.dynamic = true;
        const std::int64_t size = scanner_.integer();
        if (size < 0) scanner_.refuse("a size is negative");
        type.sizes.push_back(size);
    } while (scanner_.accept(','));
    scanner_.expect(']');
    if (type.kind != Type::Kind::array) scanner_.refuse("tokens and opaque values have no sizes");
}

// `{1,0:T(8,128)(2,1)S(5)}`: dimension numbers, fastest first; after the colon, letters with arguments.
void ShapeReader::parse_layout(Type& type) {
    scanner_.expect('{');
    if (scanner_.peek() != '}' && scanner_.peek() != ':') {
        do type.minor_to_major.push_back(scanner_.integer());
        while (scanner_.accept(','));
        std::vector<std::int64_t> sorted = type.minor_to_major;
        std::sort(sorted.begin(), sorted.end());
        bool permutation = sorted.size() == type.sizes.size();
        for (std::size_t i = 0; i < sorted.size(); ++i)
            permutation = permutation && sorted[i] == static_cast<std::int64_t>(i);
        if (!permutation) scanner_.refuse("the layout must name each dimension exactly once");
        if (is_row_major(type.minor_to_major)) type.minor_to_major.clear();
    }
    if (scanner_.accept(':')) parse_layout_details(type);
    scanner_.expect('}');
}

void ShapeReader::parse_layout_details(Type& type) {
    while (scanner_.peek() != '}') {
        const bool symbol = scanner_.accept('#') || scanner_.accept('*');
        const std::string_view letter = symbol ? std::string_view{} : scanner_.word();
        if (scanner_.peek() != '(') scanner_.refuse_expected("the rest of a layout");
        if (letter == "S") {
            scanner_.expect('(');
            type.memory_space = static_cast<std::int32_t>(scanner_.integer());
            scanner_.expect(')');
        }
        while (scanner_.peek() == '(') scanner_.enclosed();
    }
}

}  // namespace dse::ir::hlo
