#pragma once

#include <optional>
#include <string>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/program.hpp"
#include "dse/symbolic/expression.hpp"

namespace dse::ir {

/// What a user says that the calls of one target take: expressions over the call's arrays.
///
/// Names: `out`, `in0` … `in7` are elements (of all results, of an operand); `out_bytes`, `in0_bytes`, …,
/// `in_bytes` (of all operands) bytes; `out_d0` … `out_d5`, `in0_d0`, … sizes of dimensions (of the first
/// array of the results).
class ForeignFormula {
  public:
    /// An expression as it stands somewhere.
    struct Text {
        std::string text;
        std::string place;  ///< "FILE:LINE:COLUMN"
    };

    /// \throws symbolic::ExpressionError on a text that is no expression over these names
    /// \throws InputError where one of them is a negative number whatever the call
    ForeignFormula(const Text& flops, const Text& bytes);

    /// Nothing where a name means an array, a dimension or a size that the call does not have.
    /// \throws ProgramError where all that is named is known, and an expression is negative or no finite
    /// number: at the call, with the place of the expression and the types of the call
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
