#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "annotation.hpp"
#include "dse/ir/program/program_builder.hpp"
#include "evaluator.hpp"
#include "expression.hpp"
#include "ir/readers/cursor.hpp"
#include "operators.hpp"

namespace dse::ir::fx {

/// One `class …(torch.nn.Module)` with its `forward`.
struct Graph {
    ComputationId computation;
    /// What its arguments and its results are called; a result that has no name has an empty one.
    std::vector<NameId> arguments;
    std::vector<NameId> results;
};

/// Reads the Python text that FX prints of graph modules.
class GraphReader {
  public:
    /// Where the text of the graphs ends.
    enum class Extent : std::uint8_t {
        file,    ///< at its end; imports and the like may stand before the first class
        payload  ///< before the first line that is not empty and begins without a tab (of a TORCH_TRACE log)
    };

    GraphReader(Cursor& cursor, ProgramBuilder& builder);

    /// The outermost classes that follow, in order. Those that stand in another one are what it calls.
    /// \throws InputError
    std::vector<Graph> graphs(Extent extent);

  private:
    struct Open {
        std::size_t indentation;
        ComputationId computation;
    };

    struct Parameter {
        std::string_view name;
        TypeId type;
    };

    /// Moves on to what is next, past line ends and comments; false at the extent's end.
    [[nodiscard]] bool next();
    [[nodiscard]] bool at_word(std::string_view word) const;
    Graph module();
    [[nodiscard]] ComputationId computation_of(std::string_view name, std::size_t indentation);
    void parameters();
    /// Of graphs whose inputs come as trees: the parameters are what the trees are taken apart into.
    void flattened_parameters();
    void statements(Graph& graph);
    void statement();
    void assign(TypeId type);
    void results(Graph& graph);
    void finish_references() const;

    Cursor& cursor_;
    ProgramBuilder& builder_;
    Annotations annotations_;
    Operators operators_;
    Expressions expressions_;
    Evaluator evaluator_;
    Extent extent_{Extent::file};
    std::vector<Open> open_;                 ///< classes around the one that is read
    std::vector<ComputationId> filled_;      ///< that a class was read for
    std::vector<std::string_view> targets_;  ///< of the statement that is read
    std::vector<Parameter> parameters_;      ///< of the class that is read
    bool is_unpacked_{false};                ///< `a, b = …`: each target is one element
};

}  // namespace dse::ir::fx
