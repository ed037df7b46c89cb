#pragma once

#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/compute_model.hpp"
#include "dse/model/compute/roofline.hpp"
#include "dse/model/compute/systolic/folds.hpp"

namespace dse::model {

/// Matrix products by the cycles of a systolic array, converted to time according to hardware::SystolicSpec;
/// everything else by the roofline.
///
/// Cycles are those of the device's array and dataflow, with the products of a batch in sequence; the time of
/// a cycle follows from its FLOP and the rate of the product's format. A product takes at least the time of
/// its memory traffic. A product without a shape runs at the roofline's full rate.
class Systolic final : public ComputeModel {
  public:
    /// \param host_launch  CPU time of one launch; 0 under CUDA graphs
    /// \throws ModelError if the device has no systolic array
    Systolic(const hardware::DeviceSpec& device, Seconds host_launch);

    [[nodiscard]] Seconds time(const graph::Compute& work) const override;
    [[nodiscard]] Account account(const graph::Compute& work) const override;

  private:
    [[nodiscard]] double cycles(const graph::Compute& work) const;
    [[nodiscard]] Seconds product(const graph::Compute& work) const;

    SystolicArray array_;
    hardware::SystolicSpec form_;
    Roofline roofline_;
    MatmulRates rates_;
    Flop flop_of_cycle_;
    BytesPerSecond memory_;
    Seconds host_launch_;
};

}  // namespace dse::model
