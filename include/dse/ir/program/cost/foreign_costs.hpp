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

/// Costs of calls of functions outside the program (`custom-call`), by the target's name. Unless stated
/// otherwise, the bytes are those of all operands and results.
///
/// - te_fused_attn_forward_ffi, __cudnn$fmha…, flash attention: 2·B·H·Sq·Sk·(Dqk + Dv) FLOPs, half of that
///   with a causal mask
/// - te_fused_attn_backward_ffi, __cudnn$fmha…Backward: 2.5 times the FLOPs of the forward pass
/// - __cublas$gemm, __cublas$lt$matmul…, __onednn$matmul, …: 2 × elements of the result × contracted size
/// - __cudnn$conv…: FLOPs of the convolution, for positions inside the operand
/// - TopK, top-k sorts: no FLOPs, as XLA's topk
/// - MoveToHost, MoveToDevice, AwsNeuronTransferWithStaticRing: no FLOPs; bytes of operand and result
/// - AwsNeuronRmsNorm, …Gelu, …GeluBackward, …Softmax, …: FLOPs of the operator that it replaces
/// - pfft3d: a transform of three dimensions, FLOPs by XLA's rule for each in turn; the array is read and
///   written once per dimension
/// - Sharding, xla.sdy.…, SPMD…Shape, assumptions and annotations: no FLOPs, no bytes
///
/// A scratch buffer among the results (`u8[…]`) is not read or written as a whole and counts no bytes. Other
/// targets are unknown and reported as such, unless the user's table has them.
class ForeignCosts {
  public:
    /// Adds a row of the user's table, which takes precedence over the built-in ones.
    void add(std::string target, ForeignFormula formula);

    /// FLOPs and bytes in foreign_flops and foreign_bytes; nothing if the target is unknown.
    /// \param call  custom_call, composite or unknown
    /// \throws ProgramError if a user's formula yields a negative or non-finite number (ForeignFormula)
    [[nodiscard]] std::optional<Cost> cost(const Program& program, const Operation& call) const;

  private:
    std::map<std::string, ForeignFormula, std::less<>> users_;
};

/// Evaluates the costs of all foreign calls of a program, even of unreachable ones.
/// \throws ProgramError at the first call for which a user's formula yields a negative or non-finite number
void require_costs(const Program& program, const ForeignCosts& costs);

/// Name of a foreign operation in messages and tables: its target, else its name in the text.
std::string_view foreign_name(const Program& program, const Operation& operation);

}  // namespace dse::ir
