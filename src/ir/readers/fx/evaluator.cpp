#include "evaluator.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "dse/config/source_text.hpp"
#include "recipes.hpp"

namespace dse::ir::fx {
namespace {

using Kind = Expressions::Kind;

// Maximum number of results of one operator, and of all operators together in excess of one per character of
// the text: larger numbers are errors, or would exhaust memory.
constexpr std::int64_t most_elements = 65536;
constexpr std::size_t most_kept_elements = 1U << 20U;

/// Names that denote themselves, including dotted ones such as `torch.float32`.
bool is_literal(std::string_view name) {
    constexpr std::array<std::string_view, 12> literals{
        "None", "True", "False", "inf", "nan", "...", "int", "float", "bool", "str", "complex", "Ellipsis"};
    return name.find('.') != std::string_view::npos ||
           std::find(literals.begin(), literals.end(), name) != literals.end();
}

constexpr std::string_view self = "self.";
constexpr std::string_view operator_prefix = "torch.ops.";

}  // namespace

Evaluator::Evaluator(const Source& source, ProgramBuilder& builder, Expressions& expressions,
                     Operators& operators, TypeId untyped)
    : source_{source},
      builder_{builder},
      expressions_{expressions},
      operators_{operators},
      untyped_{untyped},
      scope_{builder.program().names} {}

void Evaluator::open(ComputationId computation) {
    computation_ = computation;
    scope_.open();
}

void Evaluator::close() {
    for (auto& [value, members] : members_) {
        Type tuple;
        tuple.kind = Type::Kind::tuple;
        tuple.members = std::move(members);
        builder_.program().values[value].type = builder_.program().types.add(std::move(tuple));
    }
    members_.clear();
}

Binding Evaluator::evaluate(const Node& node, const Stated& stated) {
    line_ = stated.line;
    runs_others_ = false;
    switch (node.kind) {
        case Kind::name:
            return named(node, stated);
        case Kind::call:
            return call(node, stated);
        case Kind::index:
            return element(node, stated);
        case Kind::binary:
        case Kind::attribute: {
            operands_.clear();
            called_.clear();
            collect_children(expressions_.child(node));
            if (operands_.empty()) return {Binding::Kind::literal};
            const Opcode opcode =
                node.kind == Kind::binary ? Operators::infix(node.text) : operators_[node.text].opcode;
            return bound({"", opcode}, stated, no_attribute);
        }
        case Kind::list: {
            operands_.clear();
            called_.clear();
            collect_children(expressions_.child(node));
            if (operands_.empty()) return {Binding::Kind::literal};
            return bound({"", Opcode::tuple}, stated, no_attribute);
        }
        case Kind::integer:
        case Kind::number:
        case Kind::text:
        case Kind::keyword:
            return {Binding::Kind::literal};
    }
    return {Binding::Kind::literal};
}

Binding Evaluator::updated(std::string_view target, const Node& node, Opcode opcode, const Stated& stated) {
    line_ = stated.line;
    runs_others_ = false;
    const Binding& before = scope_[target];
    if (before.kind != Binding::Kind::value)
        refuse(node, fmt::format("'{}' is not a value", config::excerpt(target)));
    const ValueId old = before.value;
    operands_.assign(1, old);
    called_.clear();
    collect(node);
    Stated same = stated;
    same.type = builder_.program().type_of(old);
    return bound({"", opcode}, same, no_attribute);
}

const std::vector<ValueId>& Evaluator::values_in(const Node& node, std::uint32_t line) {
    line_ = line;
    runs_others_ = false;
    operands_.clear();
    called_.clear();
    collect(node);
    return operands_;
}

Binding Evaluator::named(const Node& node, const Stated& stated) {
    if (node.text.starts_with(self))
        return {Binding::Kind::attribute, {}, node.text.substr(self.size()), stated.type};
    const std::string_view first = node.text.substr(0, node.text.find('.'));
    const Binding found = scope_[first];
    if (first.size() == node.text.size()) {
        if (found.kind != Binding::Kind::nothing) return found;
        if (!is_literal(node.text)) refuse(node, fmt::format("'{}' is not defined", config::excerpt(first)));
        return {Binding::Kind::literal};
    }
    if (found.kind != Binding::Kind::value) return {Binding::Kind::literal};
    operands_.assign(1, found.value);  // a property of a tensor: x.T
    called_.clear();
    return bound({"", operators_[node.text.substr(first.size() + 1)].opcode}, stated, no_attribute);
}

Binding Evaluator::call(const Node& node, const Stated& stated) {
    const Node& callee = *expressions_.child(node);
    operands_.clear();
    called_.clear();
    wrapped_.clear();
    if (callee.kind != Kind::name) return call_of_expression(node, stated);
    const std::string_view first = callee.text.substr(0, callee.text.find('.'));
    const bool is_method = first.size() < callee.text.size() && scope_[first].kind == Binding::Kind::value;
    const Operator what = operators_[is_method ? callee.text.substr(first.size() + 1) : callee.text];
    if (is_method) operands_.push_back(scope_[first].value);
    runs_others_ = what.name.starts_with("higher_order.");
    collect_children(expressions_.next(callee));
    for (const Node* wrapped : wrapped_) called_.push_back(computation_around(wrapped->text));
    Attribute attribute = attribute_of(is_method ? Recipe::plain : what.recipe, expressions_, node,
                                       builder_.program(), operands_);
    if (what.opcode == Opcode::unknown) attribute = ForeignCall{builder_.name(what.name), no_name};
    return bound(what, stated, builder_.attribute(std::move(attribute)));
}

Binding Evaluator::call_of_expression(const Node& node, const Stated& stated) {
    const Node& callee = *expressions_.child(node);
    runs_others_ = false;
    if (const Node* module = expressions_.argument(callee, 1);
        callee.kind == Kind::call && expressions_.child(callee)->text == "getattr" && module != nullptr) {
        collect_children(expressions_.next(callee));  // a module of which the graph only has the name
        const NameId name = builder_.name(module->text);
        return bound({module->text, Opcode::unknown}, stated, builder_.attribute(ForeignCall{name, no_name}));
    }
    collect_children(&callee);  // a method of an expression's value: f(x).sum()
    const std::string_view name = callee.kind == Kind::attribute ? callee.text : "";
    return bound({"", operators_[name].opcode}, stated, no_attribute);
}

Binding Evaluator::element(const Node& node, const Stated& stated) {
    const Node& base = *expressions_.child(node);
    const auto number = integer_of(expressions_.next(base));
    operands_.clear();
    called_.clear();
    runs_others_ = false;
    collect(base);
    if (operands_.size() != 1) return {Binding::Kind::literal};
    const ValueId value = operands_.front();
    const Type& type = builder_.program().types[builder_.program().type_of(value)];
    if (!number || type.kind == Type::Kind::array) {  // index into a tensor
        if (const Node* index = expressions_.next(base)) collect(*index);
        return bound({"", Opcode::slice}, stated, no_attribute);
    }
    if (*number < 0 || *number >= most_elements ||
        kept_elements_ > most_kept_elements + source_.text().size())
        refuse(node, fmt::format("no operator has element {}", *number));
    return part({Binding::Kind::value, value}, static_cast<std::size_t>(*number), stated);
}

Binding Evaluator::part(const Binding& whole, std::size_t number, const Stated& stated) {
    if (whole.kind != Binding::Kind::value) return whole;
    operands_.assign(1, whole.value);
    called_.clear();
    const Program& program = builder_.program();
    if (program.types[program.type_of(whole.value)].kind == Type::Kind::array)
        return bound({"", Opcode::slice}, stated, no_attribute);
    std::vector<TypeId>& members = members_[whole.value.index()];
    if (members.size() <= number) {
        kept_elements_ += number + 1 - members.size();
        members.resize(number + 1, untyped_);
    }
    members[number] = stated.type;
    const auto index = static_cast<std::int64_t>(number);
    return bound({"", Opcode::get_tuple_element}, stated, builder_.attribute(Index{index}));
}

Binding Evaluator::bound(const Operator& what, const Stated& stated, AttributeId attribute) {
    const std::array types{stated.type};
    const ValueId value = builder_.value(computation_, {.opcode = what.opcode,
                                                        .name = builder_.name(what.name),
                                                        .label = builder_.name(stated.label),
                                                        .operands = operands_,
                                                        .results = types,
                                                        .called = called_,
                                                        .attribute = attribute,
                                                        .line = line_});
    return {Binding::Kind::value, value};
}

void Evaluator::collect_children(const Node* first) {
    for (const Node* each = first; each != nullptr; each = expressions_.next(*each)) collect(*each);
}

void Evaluator::collect(const Node& node) {
    switch (node.kind) {
        case Kind::name:
            collect_name(node);
            return;
        case Kind::call: {  // `device(type='cuda')`, `slice(None, 4, None)`: the name is not a value
            collect_children(expressions_.next(*expressions_.child(node)));
            return;
        }
        case Kind::list:
        case Kind::keyword:
        case Kind::index:
        case Kind::attribute:
        case Kind::binary:
            collect_children(expressions_.child(node));
            return;
        case Kind::integer:
        case Kind::number:
        case Kind::text:
            return;
    }
}

void Evaluator::collect_name(const Node& node) {
    if (node.text.starts_with(operator_prefix)) {
        if (runs_others_) wrapped_.push_back(&node);
        return;
    }
    const Stated none{untyped_, "", line_};
    if (node.text.starts_with(self)) {
        const std::string_view name = node.text.substr(self.size());
        if (runs_others_) {
            called_.push_back(referenced(name, node.position));
        } else if (name != "_in_spec" && name != "_out_spec") {  // describe how trees of results are built
            operands_.push_back(constant(name, none));
        }
        return;
    }
    const Binding found = scope_[node.text];
    switch (found.kind) {
        case Binding::Kind::value:
            operands_.push_back(found.value);
            return;
        case Binding::Kind::attribute:
            if (runs_others_) {
                called_.push_back(referenced(found.attribute, node.position));
            } else {
                const ValueId value = constant(found.attribute, {found.type, node.text, line_});
                scope_.bind(node.text, {Binding::Kind::value, value});
                operands_.push_back(value);
            }
            return;
        case Binding::Kind::literal:
            return;
        case Binding::Kind::nothing:
            if (!is_literal(node.text))
                refuse(node, fmt::format("'{}' is not defined", config::excerpt(node.text)));
    }
}

ValueId Evaluator::constant(std::string_view name, const Stated& stated) {
    const std::array types{stated.type};
    return builder_.value(computation_, {.opcode = Opcode::constant,
                                         .label = builder_.name(stated.label.empty() ? name : stated.label),
                                         .results = types,
                                         .line = line_});
}

ComputationId Evaluator::computation_around(std::string_view callee) {
    const Operator what = operators_[callee];
    const ComputationId computation = builder_.computation(what.name, line_);
    std::vector<ValueId> arguments;
    for (const ValueId operand : operands_)
        arguments.push_back(builder_.argument(computation, builder_.program().type_of(operand)));
    const std::array types{untyped_};
    const AttributeId attribute = what.opcode == Opcode::unknown
                                      ? builder_.attribute(ForeignCall{builder_.name(what.name), no_name})
                                      : no_attribute;
    const std::array results{builder_.value(computation, {.opcode = what.opcode,
                                                          .name = builder_.name(what.name),
                                                          .operands = arguments,
                                                          .results = types,
                                                          .attribute = attribute,
                                                          .line = line_})};
    builder_.results(computation, results);
    return computation;
}

ComputationId Evaluator::referenced(std::string_view name, std::size_t position) {
    for (const Reference& reference : references_)
        if (reference.caller == computation_ && reference.name == name) return reference.computation;
    const ComputationId computation = builder_.computation(name);
    references_.push_back({computation_, name, computation, position});
    return computation;
}

void Evaluator::refuse(const Node& node, std::string_view reason) const {
    source_.refuse(node.position, reason);
}

}  // namespace dse::ir::fx
