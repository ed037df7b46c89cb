#pragma once

#include "dse/graph/work.hpp"
#include "dse/ir/program/cost/cost_analysis.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program.hpp"
#include "frontend/lowering/product_precisions.hpp"

namespace dse::frontend {

/// The kind of work that a device does for an operation of a program.
enum class DeviceWork : std::uint8_t {
    nothing,        ///< the operation names, groups or views values, or computes an index
    kernel,         ///< one kernel
    communication,  ///< communication with other devices
    copy,           ///< copy between device and host memory
    control         ///< the work of the computations that the operation calls
};
DeviceWork device_work(const ir::Program& program, const ir::Operation& operation);

/// The work of kernels.
class KernelCosts {
  public:
    /// \param program, foreign  must outlive this object
    KernelCosts(const ir::Program& program, const ir::ForeignCosts& foreign,
                graph::Fp32Products fp32_products = graph::Fp32Products::automatic);

    /// The kernel of an operation. FLOPs are counted for matrix products, convolutions (with the whole
    /// window), fused attention and foreign calls; bytes are counted by XLA's rules, or as all operands and
    /// results for foreign calls without a cost rule.
    /// \pre device_work() is DeviceWork::kernel
    graph::Compute kernel(const ir::Operation& operation);

    /// False for foreign calls without a cost rule.
    [[nodiscard]] bool is_known(const ir::Operation& operation) const;
    /// Whether it is a foreign call without FLOPs and bytes, such as an annotation for the compiler.
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

/// Direction and size of a copy. \pre device_work() is DeviceWork::copy
graph::Copy copy_of(const ir::Program& program, const ir::Operation& operation);

}  // namespace dse::frontend
