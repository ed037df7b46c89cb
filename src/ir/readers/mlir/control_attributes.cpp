#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {
namespace {

using Direction = ComparisonDirection;

constexpr std::array<std::pair<std::string_view, Direction>, 6> directions{
    {{"EQ", Direction::equal},
     {"NE", Direction::not_equal},
     {"LT", Direction::less},
     {"LE", Direction::less_equal},
     {"GT", Direction::greater},
     {"GE", Direction::greater_equal}}};

// The single integer between `dense<` and `>`, with or without brackets; nothing if there is none.
std::optional<std::int64_t> single_integer(std::string_view text) {
    const auto keep = [&text](std::string_view blanks) {
        const std::size_t begin = text.find_first_not_of(blanks);
        const std::size_t end = text.find_last_not_of(blanks);
        text = begin == std::string_view::npos ? std::string_view{} : text.substr(begin, end - begin + 1);
    };
    constexpr std::string_view head = "dense<";
    if (!text.starts_with(head)) return std::nullopt;
    constexpr std::size_t longest = 40;  // longer texts are lists, or not integers
    text = text.substr(head.size(), longest);
    const std::size_t end_of_literal = text.find('>');
    if (end_of_literal == std::string_view::npos) return std::nullopt;
    text = text.substr(0, end_of_literal);
    keep(" []");
    if (text == "true") return 1;
    if (text == "false") return 0;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

// `compare LT, %a, %b`, or `comparison_direction = #stablehlo<comparison_direction LT>`
Attribute comparison(const Meaning& meaning) {
    std::string_view word = meaning.text.resolved(meaning.statement.value("comparison_direction"));
    if (!word.empty()) {
        const std::size_t end = word.find_last_not_of("\">");
        const std::size_t begin = word.find_last_of(" <\"", end);
        word = word.substr(begin + 1, end - begin);
    } else if (!meaning.statement.words.empty()) {
        word = meaning.statement.words.front();
    }
    const auto* found = std::find_if(directions.begin(), directions.end(),
                                     [word](const auto& row) { return row.first == word; });
    if (found == directions.end())
        meaning.text.refuse(
            word.empty() ? meaning.statement.name : word,
            fmt::format("'{}' is not a direction of a comparison (EQ, NE, LT, LE, GT, GE)", word));
    return Comparison{found->second};
}

Attribute literal(const Meaning& meaning) {
    std::string_view text = meaning.text.resolved(meaning.statement.value("value"));
    for (const std::string_view word : meaning.statement.words)
        if (word.starts_with("dense<")) text = word;
    return Literal{single_integer(text)};
}

// `get_tuple_element %t[0]`, or `index = 0 : i32`
Attribute tuple_index(const Meaning& meaning) {
    if (meaning.statement.has("index")) return Index{meaning.integer("index", 0)};
    const std::string_view bracketed = meaning.statement.word('[');
    if (bracketed.empty()) meaning.text.refuse(meaning.statement.name, "it has no index");
    return Index{meaning.text.integer(bracketed)};
}

// The trip count is determined after the whole program has been read.
Attribute loop(const Meaning&) {
    return Loop{};
}

Attribute foreign_call(const Meaning& meaning) {
    const Statement& statement = meaning.statement;
    std::string_view target = statement.value("call_target_name", "name");
    if (target.empty()) target = statement.word(meaning.opcode == Opcode::custom_call ? '@' : '"');
    if (target.starts_with('@')) target.remove_prefix(1);
    std::string_view configuration = statement.value("backend_config", "mhlo.backend_config");
    if (configuration.empty()) configuration = statement.value("composite_attributes");
    if (meaning.opcode == Opcode::unknown) target = configuration = {};
    if (target.empty() && configuration.empty() && meaning.opcode == Opcode::unknown) return std::monostate{};
    configuration = unquoted(configuration);
    const bool escaped = configuration.find('\\') != std::string_view::npos;
    return ForeignCall{
        meaning.builder.name(unquoted(target)),
        escaped ? meaning.builder.name(unescaped(configuration)) : meaning.builder.name(configuration)};
}

}  // namespace dse::ir::mlir
