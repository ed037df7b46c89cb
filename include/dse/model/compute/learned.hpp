#pragma once

#include <array>
#include <optional>

#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/compute_model.hpp"
#include "dse/model/compute/learned/kernel_time.hpp"
#include "dse/model/compute/roofline.hpp"

namespace dse::model {

/// Products by regression trees that were trained on the device's measured kernels (KernelTime); all else,
/// and formats or batches of products that were not measured, as the roofline. Times are those of single warm
/// kernels in a full queue: `matmul.in_training` is not in them. Validity: m, n and k like those measured.
class Learned final : public ComputeModel {
  public:
    /// \param host_launch  CPU time of one launch; 0 under CUDA graphs
    /// \throws ModelError when the device names nothing that was learned of products
    Learned(const hardware::DeviceSpec& device, Seconds host_launch);

    [[nodiscard]] Seconds time(const graph::Compute& work) const override;
    [[nodiscard]] Account account(const graph::Compute& work) const override;

  private:
    /// Of a product that the trees know; nothing of all else.
    [[nodiscard]] std::optional<Seconds> by_trees(const graph::Compute& work) const;

    Roofline roofline_;
    KernelTime kernels_;
    Seconds host_launch_;
    std::array<bool, graph::precision_count> known_{};  ///< formats of the device
};

}  // namespace dse::model
