#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "annotation.hpp"
#include "dse/ir/program/program_builder.hpp"
#include "evaluator.hpp"
#include "expression.hpp"
#include "ir/readers/cursor.hpp"
#include "operators.hpp"

namespace dse::ir::fx {

/// A `class …(torch.nn.Module)` with its `forward`.
struct Graph {
    ComputationId computation;
    /// Names of the arguments and results; unnamed results have an empty one.
    std::vector<NameId> arguments;
    std::vector<NameId> results;
};

/// Reads the Python text that FX prints of graph modules.
class GraphReader {
  public:
    /// Where the text of the graphs ends.
    enum class Extent : std::uint8_t {
        file,    ///< at the end of the file; imports etc. may precede the first class
        payload  ///< before the first non-empty line without a leading tab (in a TORCH_TRACE log)
    };

    GraphReader(Cursor& cursor, ProgramBuilder& builder);

    /// Reads the outermost classes that follow, in order. Nested classes are graphs that they call.
    /// \throws InputError
    std::vector<Graph> graphs(Extent extent);

  private:
    struct Open {
        std::size_t indentation{0};
        ComputationId computation;
    };

    struct Parameter {
        std::string_view name;
        TypeId type;
    };

    /// Moves to what comes next, skipping line ends and comments; false at the end of the extent.
    [[nodiscard]] bool next();
    [[nodiscard]] bool at_word(std::string_view word) const;
    Graph module();
    [[nodiscard]] ComputationId computation_of(std::string_view name, std::size_t indentation);
    void parameters();
    /// For graphs whose inputs are passed as trees: the parameters are what the trees are flattened to.
    void flattened_parameters();
    void statements(Graph& graph);
    void statement();
    /// Reads what stands between the first target of an assignment and its `=`: further targets, or a type.
    /// \return the type of the value; nothing if the statement is not an assignment to names
    [[nodiscard]] std::optional<TypeId> assigned_type();
    void assign(TypeId type);
    /// `x += y` or `x[i] = y`.
    /// \param sign    length of the sign before y
    /// \param stated  labelled as x
    void update(Opcode opcode, std::size_t sign, const Evaluator::Stated& stated);
    void results(Graph& graph);
    void finish_references() const;

    Cursor& cursor_;
    ProgramBuilder& builder_;
    Annotations annotations_;
    Operators operators_;
    Expressions expressions_;
    Evaluator evaluator_;
    Extent extent_{Extent::file};
    std::vector<Open> open_;                 ///< classes around the current one
    std::vector<ComputationId> filled_;      ///< computations whose class has been read
    std::vector<std::string_view> targets_;  ///< of the current statement
    std::vector<Parameter> parameters_;      ///< of the current class
    bool is_unpacked_{false};                ///< `a, b = …`: each target is one element
};

}  // namespace dse::ir::fx
