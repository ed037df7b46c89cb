#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dse/base/name_table.hpp"
#include "dse/ir/program/opcode.hpp"

namespace dse::ir::fx {

/// How an operator's arguments are mapped to the common program.
enum class Recipe : std::uint8_t {
    plain,                   ///< operands only
    product,                 ///< (a, b): matrices
    batched_product,         ///< (a, b): stacks of matrices
    added_product,           ///< (c, a, b): c + a·b
    added_batched_product,   ///< (c, a, b): c + a·b, of stacks of matrices
    linear,                  ///< (x, w, bias): x·wᵀ
    matmul,                  ///< (a, b): of any ranks
    convolution,             ///< (x, w, bias, stride, padding, dilation, transposed, output_padding, groups)
    convolution_backward,    ///< (gradient, x, w, bias_sizes, stride, …, groups, output_mask)
    functional_convolution,  ///< (x, w, bias, stride, padding, dilation, groups)
    communication,           ///< the name of a process group comes last; a number is its size
    broadcast,               ///< (x, source, group)
    dimensions,              ///< (x, dimension or dimensions)
    permutation,             ///< (x, dimensions)
    transposition,           ///< (x, dimension, dimension)
};

struct Operator {
    std::string_view name;  ///< name in counts of operators: "aten.mm", "torch.nn.functional.silu"
    Opcode opcode{Opcode::unknown};
    Recipe recipe{Recipe::plain};
};

/// PyTorch's operators by the callee's name in FX: `torch.ops.aten.mm.default`, `torch._C._nn.linear`, a
/// method of a tensor. Overloads are the same operator. Unknown operators keep their name and have opcode
/// unknown.
class Operators {
  public:
    /// \param callee  must outlive this object
    Operator operator[](std::string_view callee);
    /// Opcode of a binary or unary operator such as "+" or "@".
    static Opcode infix(std::string_view text);

  private:
    NameTable seen_;
    std::vector<Operator> operators_;  ///< by the callee's number in `seen_`
};

}  // namespace dse::ir::fx
