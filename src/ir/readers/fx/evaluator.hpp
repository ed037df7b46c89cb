#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "dse/ir/readers/source.hpp"
#include "expression.hpp"
#include "operators.hpp"
#include "scope.hpp"

namespace dse::ir::fx {

/// Converts the right-hand sides of statements to operations.
class Evaluator {
  public:
    using Node = Expressions::Node;

    /// What a statement states about the value besides the expression.
    struct Stated {
        TypeId type;
        std::string_view label;  ///< name that the value gets; may be empty
        std::uint32_t line{0};
    };
    /// A graph that is referred to before its definition in the text.
    struct Reference {
        ComputationId caller;
        std::string_view name;
        ComputationId computation;
        std::size_t position{0};
    };

    Evaluator(const Source& source, ProgramBuilder& builder, Expressions& expressions, Operators& operators,
              TypeId untyped);

    /// Starts a computation; names of the previous one are forgotten.
    void open(ComputationId computation);
    /// Ends the computation: values whose elements were accessed become tuples of these.
    void close();

    /// \throws InputError at an undefined name
    Binding evaluate(const Node& node, const Stated& stated);
    /// For `x += y`, `x[i] = y`: the new value of x.
    Binding updated(std::string_view target, const Node& node, Opcode opcode, const Stated& stated);
    /// An element of a value that has several; a literal is returned unchanged.
    Binding part(const Binding& whole, std::size_t number, const Stated& stated);
    /// All values in an expression, in order; for a call, those of its arguments.
    const std::vector<ValueId>& values_in(const Node& node, std::uint32_t line);

    [[nodiscard]] Scope& scope() { return scope_; }
    [[nodiscard]] const std::vector<Reference>& references() const { return references_; }

  private:
    Binding call(const Node& node, const Stated& stated);
    Binding call_of_expression(const Node& node, const Stated& stated);
    Binding element(const Node& node, const Stated& stated);
    Binding named(const Node& node, const Stated& stated);
    Binding bound(const Operator& what, const Stated& stated, AttributeId attribute);
    void collect(const Node& node);
    void collect_children(const Node* first);
    void collect_name(const Node& node);
    ValueId constant(std::string_view name, const Stated& stated);
    /// A computation with a single operator, for operators that take another one as argument.
    ComputationId computation_around(std::string_view callee);
    ComputationId referenced(std::string_view name, std::size_t position);
    [[noreturn]] void refuse(const Node& node, std::string_view reason) const;

    const Source& source_;
    ProgramBuilder& builder_;
    Expressions& expressions_;
    Operators& operators_;
    TypeId untyped_;
    Scope scope_;
    ComputationId computation_;
    std::uint32_t line_{0};
    bool runs_others_{false};       ///< whether the call's operator takes graphs and operators as arguments
    std::size_t kept_elements_{0};  ///< of all tuples together
    std::vector<ValueId> operands_;
    std::vector<ComputationId> called_;
    std::vector<const Node*> wrapped_;
    std::vector<Reference> references_;
    std::unordered_map<std::size_t, std::vector<TypeId>>
        members_;  ///< by value: the elements that were accessed
};

}  // namespace dse::ir::fx
