#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/cost/foreign_formula.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What calls of functions outside the program take (`custom-call`), by the target's name.
///
/// | target | FLOPs | bytes |
/// |---|---|---|
/// | te_fused_attn_forward_ffi, __cudnn$fmha…, flash attention | 2·B·H·Sq·Sk·(Dqk + Dv), half under a causal
/// mask | operands and results | | te_fused_attn_backward_ffi, __cudnn$fmha…Backward | 2.5 times the
/// forward's | likewise | | __cublas$gemm, __cublas$lt$matmul…, __onednn$matmul, … | 2 × elements of the
/// result × contracted size | likewise | | __cudnn$conv… | the convolution's, positions inside the operand |
/// likewise | | TopK, top-k sorts | 0, as XLA's topk | likewise | | MoveToHost, MoveToDevice | 0 | operand
/// and result | | AwsNeuronTransferWithStaticRing | 0 | operand and result | | AwsNeuronRmsNorm, …Gelu,
/// …GeluBackward, …Softmax, … | those of the operator that it replaces | operands and results | | pfft3d | a
/// transform of three dimensions, XLA's rule for each in turn | array in and out, once for each dimension |
/// | Sharding, xla.sdy.…, SPMD…Shape, assumptions and annotations | 0 | 0 |
///
/// A scratch buffer among the results (`u8[…]`) is not read or written as a whole, and counts no bytes.
/// Other targets are unknown, and reported as that, unless the user's table has them.
class ForeignCosts {
  public:
    /// A row of the user's, which goes before the built-in ones.
    void add(std::string target, ForeignFormula formula);

    /// FLOPs and bytes in foreign_flops and foreign_bytes; nothing where the target is unknown.
    /// \param call  custom_call, composite or unknown
    /// \throws ProgramError where a formula of the user's is negative or no finite number (ForeignFormula)
    [[nodiscard]] std::optional<Cost> cost(const Program& program, const Operation& call) const;

  private:
    std::map<std::string, ForeignFormula, std::less<>> users_;
};

/// Evaluates what the foreign calls of a program take, also of those that no run reaches.
/// \throws ProgramError at the first call of which a formula of the user's is negative or no finite number
void require_costs(const Program& program, const ForeignCosts& costs);

/// What messages and tables call a foreign operation: its target, else its name in the text.
std::string_view foreign_name(const Program& program, const Operation& operation);

}  // namespace dse::ir
