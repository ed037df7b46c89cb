#pragma once

#include "dse/graph/compiler_passes.hpp"
#include "dse/graph/precision.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// The precision of kernels on elements of this type.
graph::Precision precision_of(ir::ElementType type);

/// The precision of a program's matrix products: that of their operands, except for fp32, which compilers
/// may round to TF32 (CompilerPasses::fp32_products). If both operands are integers of at most 8 bits, the
/// product is int8; an integer combined with a floating-point operand runs in the precision of the latter.
class ProductPrecisions {
  public:
    /// \param program  must outlive this object
    ProductPrecisions(const ir::Program& program, graph::Fp32Products choice)
        : program_{program}, choice_{choice} {}

    /// \param operation  a matrix product, a convolution, or a foreign call of either; with operands
    [[nodiscard]] graph::Precision of_product(const ir::Operation& operation) const;

  private:
    [[nodiscard]] bool rounds(const ir::Operation& operation) const;

    const ir::Program& program_;
    graph::Fp32Products choice_;
};

}  // namespace dse::frontend
