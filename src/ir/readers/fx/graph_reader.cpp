#include "graph_reader.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "dse/config/source_text.hpp"

namespace dse::ir::fx {
namespace {

/// Number of columns before the current position; in a log, without the tab at the beginning of the line.
std::size_t indentation_at(const Cursor& cursor) {
    const std::size_t end = cursor.text().rfind('\n', cursor.position());
    const std::size_t begin = end == std::string_view::npos ? 0 : end + 1;
    return cursor.position() - begin - (begin < cursor.position() && cursor.text()[begin] == '\t' ? 1 : 0);
}

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Skips `;  a = b = None` at the end of a line, which makes up a third of such texts. It is not checked that
/// these names are not used again.
bool skip_given_back(Cursor& cursor) {
    const std::string_view rest = cursor.rest();
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!line.ends_with("= None") || line.find(';', 1) != std::string_view::npos) return false;
    cursor.advance(line.size());
    return true;
}

}  // namespace

GraphReader::GraphReader(Cursor& cursor, ProgramBuilder& builder)
    : cursor_{cursor},
      builder_{builder},
      annotations_{cursor.source(), builder.program().types},
      evaluator_{cursor.source(), builder, expressions_, operators_, annotations_.untyped()} {}

bool GraphReader::next() {
    for (;;) {
        cursor_.skip_spaces();
        if (cursor_.at_end()) return false;
        if (cursor_.peek() == '#') {
            cursor_.skip_line();
        } else if (cursor_.peek() == '\n') {
            cursor_.advance();
        } else {
            return true;
        }
        if (extent_ == Extent::payload && cursor_.peek() != '\t' && cursor_.peek() != '\n') return false;
    }
}

bool GraphReader::at_word(std::string_view word) const {
    return cursor_.rest().starts_with(word) && !is_word_character(cursor_.peek(word.size()));
}

std::vector<Graph> GraphReader::graphs(Extent extent) {
    extent_ = extent;
    std::vector<Graph> result;
    while (next()) {
        if (at_word("class")) {
            const bool is_outermost = open_.empty() || indentation_at(cursor_) <= open_.front().indentation;
            Graph graph = module();
            if (is_outermost) result.push_back(std::move(graph));
        } else if (!result.empty() && cursor_.rest().starts_with("Graph signature:")) {
            break;  // of torch.export: describes the arguments
        } else if (result.empty() && (extent_ == Extent::file || at_word("ExportedProgram"))) {
            cursor_.skip_line();
        } else {
            cursor_.refuse(fmt::format("expected a class or the end, found {}", cursor_.found()));
        }
    }
    if (result.empty()) cursor_.refuse("there is no 'class …(torch.nn.Module)', as FX prints it");
    finish_references();
    return result;
}

Graph GraphReader::module() {
    const std::size_t indentation = indentation_at(cursor_);
    const std::uint32_t line = cursor_.line();
    cursor_.expect("class");
    cursor_.skip_spaces();
    const std::string_view name = cursor_.word(".<>");
    if (name.empty()) cursor_.refuse(fmt::format("expected the class's name, found {}", cursor_.found()));
    cursor_.bracketed();
    cursor_.expect(':');
    Graph graph;
    graph.computation = computation_of(name, indentation);
    builder_.program().computations[graph.computation.index()].line = line;
    filled_.push_back(graph.computation);
    open_.push_back({indentation, graph.computation});
    for (;;) {
        if (!next() || at_word("class"))
            cursor_.refuse(fmt::format("'{}' has no forward", config::excerpt(name)));
        if (at_word("def")) {
            cursor_.advance(3);
            cursor_.skip_spaces();
            if (cursor_.word() == "forward") break;
        }
        cursor_.skip_line();
    }
    evaluator_.open(graph.computation);
    parameters();
    flattened_parameters();
    for (const Parameter& parameter : parameters_) {
        const ValueId value = builder_.argument(graph.computation, parameter.type);
        evaluator_.scope().bind(parameter.name, {Binding::Kind::value, value});
        graph.arguments.push_back(builder_.name(parameter.name));
    }
    statements(graph);
    evaluator_.close();
    return graph;
}

ComputationId GraphReader::computation_of(std::string_view name, std::size_t indentation) {
    while (!open_.empty() && open_.back().indentation >= indentation) open_.pop_back();
    if (!open_.empty()) {
        for (const Evaluator::Reference& reference : evaluator_.references())
            if (reference.caller == open_.back().computation && reference.name == name)
                return reference.computation;
    }
    return builder_.computation(name);
}

void GraphReader::parameters() {
    parameters_.clear();
    cursor_.expect('(');
    for (;;) {
        skip_blanks_and_comments(cursor_);
        if (cursor_.peek() == ')') break;
        while (cursor_.peek() == '*') cursor_.advance();
        const std::string_view name = cursor_.word();
        if (name.empty()) cursor_.refuse(fmt::format("expected an argument, found {}", cursor_.found()));
        TypeId type = annotations_.untyped();
        skip_blanks_and_comments(cursor_);
        if (cursor_.peek() == ':') {
            cursor_.advance();
            skip_blanks_and_comments(cursor_);
            if (cursor_.peek() == '"') {
                type = annotations_.type(cursor_.quoted());
            } else {
                expressions_.read(cursor_);  // a Python class, as in `x: torch.Tensor`
            }
            skip_blanks_and_comments(cursor_);
        }
        if (cursor_.peek() == '=') {
            cursor_.advance();
            skip_blanks_and_comments(cursor_);
            expressions_.read(cursor_);
            skip_blanks_and_comments(cursor_);
        }
        if (name != "self") parameters_.push_back({name, type});
        if (cursor_.peek() != ',') break;
        cursor_.advance();
    }
    cursor_.expect(')');
    cursor_.skip_spaces();
    if (cursor_.accept("->")) {
        cursor_.skip_spaces();
        expressions_.read(cursor_);
    }
    cursor_.expect(':');
}

void GraphReader::flattened_parameters() {
    const std::size_t begin = cursor_.position();
    std::unordered_map<std::string_view, TypeId> types;
    std::string_view name;
    while (next()) {  // a: "f32[4]"; b: "f32[4]"
        name = cursor_.word();
        cursor_.skip_spaces();
        if (name.empty() || cursor_.peek() != ':') break;
        cursor_.advance();
        cursor_.skip_spaces();
        types[name] = annotations_.type(python_text(cursor_));
        cursor_.skip_spaces();
        if (cursor_.peek() == ';') cursor_.advance();
        if (cursor_.peek() == '=') break;
    }
    std::vector<Parameter> flat;
    while (cursor_.peek() == ',') {  // a, b, = fx_pytree.tree_flatten_spec([inputs], self._in_spec)
        const auto found = types.find(name);
        flat.push_back({name, found == types.end() ? annotations_.untyped() : found->second});
        cursor_.advance();
        cursor_.skip_spaces();
        name = cursor_.word();
        cursor_.skip_spaces();
    }
    if (!flat.empty() && name.empty() && cursor_.accept("=") &&
        cursor_.accept("fx_pytree.tree_flatten_spec(")) {
        parameters_ = std::move(flat);
        cursor_.skip_line();
    } else {
        cursor_.move_to(begin);
    }
}

void GraphReader::statements(Graph& graph) {
    while (next()) {
        if (at_word("class")) break;
        if (at_word("return")) {
            results(graph);
            return;
        }
        statement();
        // A statement may be followed by others on its line, mostly releases of names.
        for (cursor_.skip_spaces(); cursor_.peek() == ';'; cursor_.skip_spaces()) {
            if (skip_given_back(cursor_)) break;
            cursor_.advance();
            cursor_.skip_spaces();
            if (cursor_.peek() != '\n' && !cursor_.at_end()) statement();
        }
        if (cursor_.peek() != '\n' && cursor_.peek() != '#' && !cursor_.at_end())
            cursor_.refuse(fmt::format("expected the end of the statement, found {}", cursor_.found()));
    }
    cursor_.refuse("the graph ends without 'return'");
}

void GraphReader::statement() {
    const std::size_t begin = cursor_.position();
    const std::string_view name = cursor_.word();
    if (name.empty()) cursor_.refuse(fmt::format("expected a statement, found {}", cursor_.found()));
    targets_.assign(1, name);
    is_unpacked_ = false;
    cursor_.skip_spaces();
    if (const std::optional<TypeId> type = assigned_type()) return assign(*type);
    if (name == "pass") return;
    const Evaluator::Stated stated{annotations_.untyped(), name, cursor_.line()};
    const bool is_augmented = !cursor_.at_end() && cursor_.peek(1) == '=' &&
                              std::string_view{"+-*/%&|^@"}.find(cursor_.peek()) != std::string_view::npos;
    if (is_augmented) return update(Operators::infix(cursor_.rest().substr(0, 1)), 2, stated);
    cursor_.move_to(begin);
    const Expressions::Node& node = expressions_.read(cursor_);
    const bool is_index = node.kind == Expressions::Kind::index;
    cursor_.skip_spaces();
    if (is_index && cursor_.peek() == '=') return update(Opcode::dynamic_update_slice, 1, stated);
    if (node.kind != Expressions::Kind::call) {  // whose result is not used
        cursor_.move_to(begin);
        cursor_.refuse(fmt::format("expected a statement, found {}", cursor_.found()));
    }
    evaluator_.evaluate(node, {annotations_.untyped(), "", stated.line});
}

std::optional<TypeId> GraphReader::assigned_type() {
    switch (cursor_.peek()) {
        case ':': {
            cursor_.advance();
            cursor_.skip_spaces();
            const TypeId type = annotations_.type(python_text(cursor_));
            cursor_.skip_spaces();
            return type;
        }
        case '=':
            if (cursor_.peek(1) == '=') return std::nullopt;
            return annotations_.untyped();
        case ',':
            while (cursor_.peek() == ',') {
                cursor_.advance();
                cursor_.skip_spaces();
                if (const std::string_view more = cursor_.word(); !more.empty()) targets_.push_back(more);
                cursor_.skip_spaces();
            }
            is_unpacked_ = true;
            return annotations_.untyped();
        default:
            return std::nullopt;
    }
}

void GraphReader::update(Opcode opcode, std::size_t sign, const Evaluator::Stated& stated) {
    cursor_.advance(sign);
    cursor_.skip_spaces();
    const Binding after = evaluator_.updated(stated.label, expressions_.read(cursor_), opcode, stated);
    evaluator_.scope().bind(stated.label, after);
}

void GraphReader::assign(TypeId type) {
    const std::uint32_t line = cursor_.line();
    for (;;) {  // a = b = None
        cursor_.expect('=');
        cursor_.skip_spaces();
        const std::size_t begin = cursor_.position();
        const std::string_view more = cursor_.word();
        cursor_.skip_spaces();
        if (more.empty() || cursor_.peek() != '=' || cursor_.peek(1) == '=') {
            cursor_.move_to(begin);
            break;
        }
        targets_.push_back(more);
    }
    const Expressions::Node& node = expressions_.read_tuple(cursor_);
    if (node.kind == Expressions::Kind::name && node.text == "None") {
        for (const std::string_view target : targets_) evaluator_.scope().bind(target, {});
        return;
    }
    const Binding value = evaluator_.evaluate(node, {type, targets_.front(), line});
    for (std::size_t i = 0; i < targets_.size(); ++i)
        evaluator_.scope().bind(targets_[i],
                                is_unpacked_ ? evaluator_.part(value, i, {type, targets_[i], line}) : value);
}

void GraphReader::results(Graph& graph) {
    const std::uint32_t line = cursor_.line();
    cursor_.expect("return");
    cursor_.skip_spaces();
    const bool is_empty = cursor_.peek() == '\n' || cursor_.at_end();
    if (!is_empty) {
        const std::vector<ValueId>& values = evaluator_.values_in(expressions_.read_tuple(cursor_), line);
        builder_.results(graph.computation, values);
        const Program& program = builder_.program();
        for (const ValueId value : values) {
            const Operation* definition = program.definition(value);
            graph.results.push_back(definition == nullptr ? graph.arguments[program[value].number]
                                                          : definition->label);
        }
    }
    cursor_.skip_spaces();
    if (cursor_.peek() == ';') cursor_.skip_line();
}

void GraphReader::finish_references() const {
    for (const Evaluator::Reference& reference : evaluator_.references())
        if (std::find(filled_.begin(), filled_.end(), reference.computation) == filled_.end())
            cursor_.source().refuse(reference.position, fmt::format("the graph 'self.{}' is not in the text",
                                                                    config::excerpt(reference.name)));
}

}  // namespace dse::ir::fx
