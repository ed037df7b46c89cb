#pragma once

#include <array>
#include <optional>

#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/compute_model.hpp"
#include "dse/model/compute/learned/kernel_time.hpp"
#include "dse/model/compute/roofline.hpp"

namespace dse::model {

/// Matrix products by regression trees trained on measured kernels of the device (KernelTime); everything
/// else, including formats and batched products that were not measured, by the roofline. Times are those of
/// single kernels in a full queue, without the casts that were measured with them. The trees saw them in
/// short runs, at clocks that a device does not hold under constant load, and in part with operands in the
/// cache: no product is faster than the rate it sustains in a step, `matmul.in_training` included, or than
/// the memory. Validity: m, n and k like those measured.
class Learned final : public ComputeModel {
  public:
    /// \param host_launch  CPU time of one launch; 0 under CUDA graphs
    /// \throws ModelError if the device has no learned model of matrix products
    Learned(const hardware::DeviceSpec& device, Seconds host_launch);

    [[nodiscard]] Seconds time(const graph::Compute& work) const override;
    [[nodiscard]] Account account(const graph::Compute& work) const override;

  private:
    /// Time of a product covered by the trees; nothing for other work.
    [[nodiscard]] std::optional<Seconds> by_trees(const graph::Compute& work) const;

    Roofline roofline_;
    KernelTime kernels_;
    Seconds host_launch_;
    BytesPerSecond memory_;
    /// Rates that a step sustains; 0 for formats that the device does not support.
    std::array<FlopPerSecond, graph::precision_count> sustained_{};
};

}  // namespace dse::model
