#pragma once

#include <array>

#include "dse/model/compute/attention_time.hpp"
#include "dse/model/compute/compute_model.hpp"
#include "dse/model/compute/matmul_time.hpp"

namespace dse::model {

/// Roofline with an efficiency for each operator class and fitted models of matrix products and fused
/// attention. With a bare datasheet: max(FLOP / peak, bytes / bandwidth).
///
/// Every kernel adds the device's kernel latency, and none takes less time than the host needs to launch it,
/// since the queue runs dry otherwise: time = max(device time, kernels × host launch time). Validity: one
/// operator at a time on the device; no cache reuse between operators.
class Roofline final : public ComputeModel {
  public:
    /// \param host_launch  CPU time of one launch; 0 under CUDA graphs
    Roofline(const hardware::DeviceSpec& device, Seconds host_launch);

    [[nodiscard]] Seconds time(const graph::Compute& work) const override;

  private:
    [[nodiscard]] Seconds on_device(const graph::Compute& work) const;
    [[nodiscard]] Seconds streaming(const graph::Compute& work) const;

    MatmulTime matmul_;
    AttentionTime attention_;
    std::array<BytesPerSecond, graph::op_class_count> memory_;
    FlopPerSecond vector_;
    Seconds kernel_latency_;
    Seconds host_launch_;
};

}  // namespace dse::model
