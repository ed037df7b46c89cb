#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/blend.hpp"
#include "dse/model/compute/rates.hpp"

namespace dse::model {

/// Device time of matrix products according to hardware::MatmulSpec, without kernel latency.
class MatmulTime {
  public:
    explicit MatmulTime(const hardware::DeviceSpec& device);

    /// Work without a shape runs at the full rate.
    /// \throws ModelError if the device does not support the precision
    [[nodiscard]] Seconds operator()(const graph::Compute& work) const;

  private:
    /// Factor on the compute time for tiles, waves, prologue and epilogue; >= 1.
    [[nodiscard]] double shape_loss(const graph::GemmShape& shape, graph::Precision precision) const;

    MatmulRates rates_;
    hardware::MatmulSpec form_;
    BytesPerSecond memory_;
    BytesPerSecond plain_memory_;  ///< of products with one matrix
    BytesPerSecond fp4_memory_;    ///< of products in fp4
    FlopPerSecond vector_;         ///< two in each cycle of a lane
    Blend blend_;
};

}  // namespace dse::model
