#include "ir/readers/mlir/statement_reader.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "dse/config/source_text.hpp"
#include "ir/readers/mlir/lookahead.hpp"

namespace dse::ir::mlir {
namespace {

// Reorders a, b, c, d, … as written in pairs: the first elements of all pairs, then the second ones.
template <class T>
void unzip(std::vector<T>& pairs) {
    std::vector<T> seconds;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i % 2 == 0)
            pairs[kept++] = pairs[i];
        else
            seconds.push_back(pairs[i]);
    }
    std::copy(seconds.begin(), seconds.end(), pairs.begin() + static_cast<std::ptrdiff_t>(kept));
}

}  // namespace

void StatementReader::head(Statement& statement) {
    statement.clear();
    tokens_.skip();
    statement.line = tokens_.line();
    if (tokens_.peek() == '%') {
        do {
            tokens_.expect('%');
            Statement::Result result;
            result.name = tokens_.suffix();
            if (result.name.empty())
                tokens_.refuse(fmt::format("expected a name, found {}", tokens_.found()));
            if (tokens_.accept(':')) {
                const std::int64_t count = tokens_.integer();
                if (count < 1 || count > 1'000'000) tokens_.refuse("a result must have 1 to 1000000 values");
                result.count = static_cast<std::uint32_t>(count);
            }
            statement.results.push_back(result);
        } while (tokens_.accept(','));
        tokens_.expect('=');
        tokens_.skip();
    }
    statement.generic = tokens_.peek() == '"';
    statement.name = statement.generic ? tokens_.quoted() : tokens_.identifier();
    const bool has_dialect = statement.name.find('.') != std::string_view::npos;
    if (!statement.generic && !statement.name.empty() && !has_dialect && !is_bare_operation(statement.name))
        tokens_.refuse(
            fmt::format("'{}' is not an operation: it has no dialect", config::excerpt(statement.name)));
    if (statement.name.empty())
        tokens_.refuse(fmt::format("expected an operation, found {}", tokens_.found()));
}

void StatementReader::tail(Statement& statement) {
    std::string closers;
    bool more = false;
    for (;;) {
        const bool new_line = tokens_.skip_lines() && !more;
        if (closers.empty()) {
            if (tokens_.at_stop() || ends(statement, new_line)) break;
        } else if (tokens_.at_stop()) {
            tokens_.refuse(fmt::format("expected '{}', which closes a bracket of '{}' in line {}, found {}",
                                       closers.back(), statement.name, statement.line, tokens_.found()));
        }
        more = token(statement, closers);
    }
    // `reduce(%x init: %i), (%y init: %j)` has the operands %x, %y, %i, %j.
    if (statement.says("across")) unzip(statement.operands);
}

bool StatementReader::ends(const Statement& statement, bool new_line) {
    const char c = tokens_.peek();
    if (c == '}' || c == ')' || c == ']') return true;
    if (c == '{' && tokens_.peek(1) == '-') return true;
    if (c == '^') return new_line;
    if (c == '%' || c == '"' || c == '#' || c == '!') return new_line || statement.typed;
    return (new_line || statement.typed) && is_letter(c) && at_operation(tokens_);
}

// \return whether the statement continues even on a new line
bool StatementReader::token(Statement& statement, std::string& closers) {
    const char c = tokens_.peek();
    switch (c) {
        case '%':
            value(statement, !closers.empty());
            return false;
        case '{':
            braces(statement, !closers.empty());
            return false;
        case '(':
        case '[':
        case '<':
        case ')':
        case ']':
            return bracket(statement, closers);
        case ':':
            tokens_.advance();
            if (tokens_.peek() == ':') {
                tokens_.advance();
                return true;
            }
            if (closers.empty())
                types(statement);
            else
                types_.read(tokens_);
            return false;
        case '^':
            tokens_.refuse(
                fmt::format("'{}' branches to other blocks of its region: only structured control "
                            "flow is read (while, case, if)",
                            statement.name));
        case ',':
        case '=':
            tokens_.advance();
            return true;
        case '-':
            if (tokens_.peek(1) == '>') {
                tokens_.advance(2);
                if (closers.empty()) results(statement);
                return !closers.empty();
            }
            break;
        default:
            if (is_letter(c)) return word(statement);
    }
    if (c == '*' || c == '?' || c == '/' || c == '|' || c == '>' || c == '&' || c == '~') {
        if (is_known_dialect(dialect_of(statement.name)))
            tokens_.refuse(fmt::format("'{}' has no {}", statement.name, tokens_.found()));
        tokens_.advance();
        return false;
    }
    statement.words.push_back(tokens_.value());
    return false;
}

bool StatementReader::bracket(Statement& statement, std::string& closers) {
    const char c = tokens_.peek();
    if (c == ')' || c == ']') {
        if (closers.empty() || closers.back() != c) tokens_.refuse(fmt::format("unmatched '{}'", c));
        closers.pop_back();
        tokens_.advance();
        return false;
    }
    const std::size_t begin = tokens_.position();
    tokens_.advance();
    if (c == '(') {
        closers += ')';
        return false;
    }
    if (c == '<' && tokens_.peek() == '{') {
        dictionary(tokens_, statement.entries);
        tokens_.expect('>');
        return false;
    }
    if (c == '[') {
        tokens_.skip();
        if (tokens_.peek() == '%') {  // in other dialects: indices, lists of operands
            closers += ']';
            return false;
        }
    }
    tokens_.move_to(begin);
    statement.words.push_back(tokens_.value());
    return false;
}

bool StatementReader::word(Statement& statement) {
    const std::size_t begin = tokens_.position();
    const std::string_view word = tokens_.identifier();
    if (word == "loc" && tokens_.peek() == '(') {
        statement.location = tokens_.bracketed();
        return false;
    }
    if (word == "attributes") return true;
    if (word == "init" && tokens_.accept(':')) return true;
    const std::size_t end = tokens_.position();
    tokens_.skip();
    if (tokens_.peek() == '=' && tokens_.peek(1) != '=') {
        tokens_.advance();
        tokens_.skip();
        // In other dialects: `keys = %x`.
        const bool is_value = tokens_.peek() == '%';
        statement.entries.push_back({word, is_value ? std::string_view{} : tokens_.value()});
        return false;
    }
    tokens_.move_to(begin);
    if (tokens_.peek(end - begin) == '<') {
        statement.words.push_back(tokens_.value());
        return false;
    }
    tokens_.move_to(end);
    statement.words.push_back(word);
    return word == "applies";
}

void StatementReader::value(Statement& statement, bool bracketed) {
    const std::size_t begin = tokens_.position();
    tokens_.advance();
    const std::string_view name = tokens_.suffix();
    if (tokens_.peek() == '#') {
        tokens_.advance();
        tokens_.word();
        statement.operands.push_back(operand(name, begin));
        return;
    }
    const std::size_t end = tokens_.position();
    tokens_.skip();
    if (tokens_.peek() == '=' && tokens_.peek(1) != '=') {
        tokens_.advance();
        binding(statement, name);
        return;
    }
    const bool has_type = bracketed && tokens_.peek() == ':' && tokens_.peek(1) != ':';
    // Foreign operations also write the types of operands in this form.
    if (has_type && (is_known_dialect(dialect_of(statement.name)) || scopes_.find(name) == nullptr)) {
        tokens_.advance();
        argument(statement, name);
        return;
    }
    tokens_.move_to(end);
    statement.operands.push_back(operand(name, begin));
}

// `%name = %operand`, as in while: an argument of every region, with the type of the operand.
void StatementReader::binding(Statement& statement, std::string_view name) {
    tokens_.skip();
    if (tokens_.peek() != '%') {
        if (is_known_dialect(dialect_of(statement.name)))
            tokens_.refuse(
                fmt::format("expected the value that %{} starts with, found {}", name, tokens_.found()));
        statement.arguments.push_back({name, types_.unknown(), {}});
        return;
    }
    const std::size_t begin = tokens_.position();
    tokens_.advance();
    const std::string_view source = tokens_.suffix();
    if (tokens_.peek() == '#') {
        tokens_.advance();
        tokens_.word();
    }
    const ValueId id = operand(source, begin);
    statement.operands.push_back(id);
    statement.arguments.push_back({name, program_.type_of(id), {}});
}

void StatementReader::argument(Statement& statement, std::string_view name) {
    Statement::Argument added{name, types_.read(tokens_), {}};
    tokens_.skip();
    if (tokens_.peek() == '{') added.attributes = tokens_.bracketed();
    tokens_.skip_location();
    statement.arguments.push_back(added);
}

// The value whose '%' is at `begin`; the text from there to the current position is "%name" or "%name#2".
ValueId StatementReader::operand(std::string_view name, std::size_t begin) {
    const std::size_t end = tokens_.position();
    const std::string_view text = tokens_.since(begin);
    const ValueScopes::Values* values = scopes_.find(name);
    tokens_.move_to(begin);
    if (values == nullptr) {
        const std::string near = scopes_.nearest(name);
        tokens_.refuse(near.empty() ? fmt::format("%{} is not defined", name)
                                    : fmt::format("%{} is not defined; nearest %{}", name, near));
    }
    std::uint32_t number = 0;
    const std::size_t mark = text.find('#');
    if (mark != std::string_view::npos) {
        const auto parsed = std::from_chars(text.data() + mark + 1, text.data() + text.size(), number);
        if (parsed.ec != std::errc{} || number >= values->count)
            tokens_.refuse(fmt::format("%{} has {} value(s), and no value {}", name, values->count, text));
    }
    tokens_.move_to(end);
    return ValueId{values->first.index() + number};
}

void StatementReader::braces(Statement& statement, bool in_brackets) {
    if (!(in_brackets && statement.generic) && !at_region(tokens_)) {
        // Shardy's collectives start with axes: `sdy.all_reduce {"x", "y":(1)2} %x`.
        if (at_axes(tokens_))
            statement.words.push_back(tokens_.value());
        else
            dictionary(tokens_, statement.entries);
        return;
    }
    if (statement.says("reducer")) unzip(statement.arguments);  // `(%p: T, %x: T) (%q: U, %y: U)`
    statement.regions.push_back(regions_.region(statement.arguments));
    // Both regions of a while have its arguments.
    if (!statement.name.ends_with(".while")) statement.arguments.clear();
}

void StatementReader::dictionary(Tokens& tokens, std::vector<Statement::Entry>& entries) {
    tokens.expect('{');
    while (!tokens.accept('}')) {
        tokens.skip();
        const std::string_view key = tokens.peek() == '"' ? tokens.quoted() : tokens.identifier();
        if (key.empty()) tokens.refuse(fmt::format("expected a name or '}}', found {}", tokens.found()));
        entries.push_back({key, tokens.accept('=') ? tokens.typed_value() : std::string_view{}});
        tokens.skip();
        if (tokens.peek() != '}') tokens.expect(',');
    }
}

void StatementReader::type_list(std::vector<TypeId>& list) {
    tokens_.expect('(');
    while (!tokens_.accept(')')) {
        list.push_back(types_.read(tokens_));
        tokens_.skip();
        if (tokens_.peek() != ')') tokens_.expect(',');
    }
}

void StatementReader::types(Statement& statement) {
    std::vector<TypeId>& list = statement.result_types;
    list.clear();
    statement.typed = true;
    tokens_.skip();
    if (tokens_.peek() == '(') {
        type_list(list);
    } else {
        bare_types(list);
    }
    if (tokens_.accept("->")) {
        statement.operand_types.swap(list);
        list.clear();
        results(statement);
        statement.functional = true;
    } else if (tokens_.accept_word("to") || tokens_.accept_word("into")) {
        list.assign(1, types_.read(tokens_));
    }
}

void StatementReader::results(Statement& statement) {
    statement.typed = true;
    statement.result_types.clear();
    tokens_.skip();
    if (tokens_.peek() == '(')
        type_list(statement.result_types);
    else
        bare_types(statement.result_types);
}

void StatementReader::bare_types(std::vector<TypeId>& list) {
    do list.push_back(types_.read(tokens_));
    while (tokens_.accept(',') && (tokens_.skip(), TypeReader::at_type(tokens_)));
}

}  // namespace dse::ir::mlir
