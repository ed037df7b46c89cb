#pragma once

#include <optional>
#include <string>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/program.hpp"
#include "dse/symbolic/expression.hpp"

namespace dse::ir {

/// A user's cost of the calls of one target: expressions over the arrays of the call.
///
/// Names: `out`, `in0` … `in7` are numbers of elements (of all results, of one operand); `out_bytes`,
/// `in0_bytes`, …, `in_bytes` (of all operands) are bytes; `out_d0` … `out_d5`, `in0_d0`, … are sizes of
/// dimensions (of the first array of the results).
class ForeignFormula {
  public:
    /// An expression and its position.
    struct Text {
        std::string text;
        std::string place;  ///< "FILE:LINE:COLUMN"
    };

    /// \throws symbolic::ExpressionError if a text is not an expression over these names
    /// \throws InputError if one of them is a negative constant
    ForeignFormula(const Text& flops, const Text& bytes);

    /// Nothing if a name refers to an array, dimension or size that the call does not have.
    /// \throws ProgramError if all names are known but an expression is negative or not finite; it names the
    ///         call, the position of the expression and the types of the call
    [[nodiscard]] std::optional<Cost> cost(const Program& program, const Operation& call) const;

  private:
    struct Placed {
        symbolic::Expression expression;
        std::string place;
    };

    Placed flops_;
    Placed bytes_;
};

}  // namespace dse::ir
