#pragma once

#include "dse/graph/work.hpp"
#include "dse/ir/program/cost/cost_analysis.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program.hpp"
#include "frontend/lowering/product_precisions.hpp"

namespace dse::frontend {

/// What a device does for an operation of a program.
enum class DeviceWork : std::uint8_t {
    nothing,        ///< it names, groups or views values, or computes an index
    kernel,         ///< one kernel
    communication,  ///< with other devices
    copy,           ///< between the device's memory and the host's
    control         ///< what the computations say that it runs
};
DeviceWork device_work(const ir::Program& program, const ir::Operation& operation);

/// What kernels take.
class KernelCosts {
  public:
    /// \param program, foreign  must live as long as this
    KernelCosts(const ir::Program& program, const ir::ForeignCosts& foreign,
                graph::Fp32Products fp32_products = graph::Fp32Products::automatic);

    /// An operation as a kernel. FLOPs are those of products, the whole window of a convolution included, of
    /// fused attention and of foreign calls; bytes are counted by XLA's rules, those of a foreign call that
    /// nobody knows as all its operands and results.
    /// \pre device_work says that it is one
    graph::Compute kernel(const ir::Operation& operation);

    /// False of a foreign call that no rule costs.
    [[nodiscard]] bool is_known(const ir::Operation& operation) const;
    /// Whether it is a foreign call that only tells the compiler something.
    [[nodiscard]] bool is_nothing(const ir::Operation& operation) const;

  private:
    void take_shape(const ir::Operation& operation, graph::Compute& compute) const;
    void take_attention_shape(const ir::Operation& operation, graph::Compute& compute) const;
    void take_foreign_shape(const ir::Operation& operation, const ir::Cost& cost,
                            graph::Compute& compute) const;
    void add_traffic(const ir::Operation& operation, const ir::Cost& cost, graph::Compute& compute) const;

    const ir::Program& program_;
    const ir::ForeignCosts& foreign_;
    ProductPrecisions precisions_;
    ir::CostAnalysis costs_;
};

/// Which way a copy goes, and how much. \pre device_work says that it is one
graph::Copy copy_of(const ir::Program& program, const ir::Operation& operation);

}  // namespace dse::frontend
