#pragma once

#include <optional>
#include <string_view>

#include "dse/ir/cost/cost.hpp"
#include "dse/ir/program.hpp"
#include "dse/symbolic/expression.hpp"

namespace dse::ir {

/// What a user says that the calls of one target take: expressions over the call's arrays.
///
/// Names: `out`, `in0` … `in7` are elements (of all results, of an operand); `out_bytes`, `in0_bytes`, …,
/// `in_bytes` (of all operands) bytes; `out_d0` … `out_d5`, `in0_d0`, … sizes of dimensions (of the first
/// array of the results).
class ForeignFormula {
  public:
    /// \throws symbolic::ExpressionError on a text that is no expression over these names
    /// \throws InputError where one of them is a negative number whatever the call
    ForeignFormula(std::string_view flops, std::string_view bytes);

    /// Nothing where a name means an array or a dimension that the call does not have. \throws ProgramError
    /// where an expression is negative for this call
    [[nodiscard]] std::optional<Cost> cost(const Program& program, const Operation& call) const;

  private:
    symbolic::Expression flops_;
    symbolic::Expression bytes_;
};

}  // namespace dse::ir
