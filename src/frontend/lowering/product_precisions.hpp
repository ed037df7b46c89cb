#pragma once

#include "dse/graph/compiler_passes.hpp"
#include "dse/graph/precision.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// The precision at which kernels on such elements run.
graph::Precision precision_of(ir::ElementType type);

/// The precision at which products of a program run: that of their operands, but for fp32, which compilers
/// may round to TF32 (CompilerPasses::fp32_products). Integers of up to 8 bits on both sides run as int8,
/// beside a floating operand as that one.
class ProductPrecisions {
  public:
    /// \param program  must live as long as this
    ProductPrecisions(const ir::Program& program, graph::Fp32Products choice)
        : program_{program}, choice_{choice} {}

    /// \param operation  a product, a convolution, or a foreign call of such; with operands
    [[nodiscard]] graph::Precision of_product(const ir::Operation& operation) const;

  private:
    [[nodiscard]] bool rounds(const ir::Operation& operation) const;

    const ir::Program& program_;
    graph::Fp32Products choice_;
};

}  // namespace dse::frontend
