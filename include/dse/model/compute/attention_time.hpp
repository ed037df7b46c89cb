#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/rates.hpp"

namespace dse::model {

/// Whether heads attend to the vectors that latent attention caches for all of them.
bool is_latent(const graph::GemmShape& shape);

/// Device time of a fused attention kernel by the form of hardware::AttentionSpec, without kernel latency.
///
/// The shape of the work is that of the score product: batch = sequences × heads, m = queries, n = keys,
/// k = head dimension. Work that states none is charged at the rate of long sequences with d = 128.
class AttentionTime {
  public:
    explicit AttentionTime(const hardware::DeviceSpec& device);

    /// \throws ModelError when the device has no unit for the precision
    [[nodiscard]] Seconds operator()(const graph::Compute& work) const;

  private:
    /// Share of the matmul rate, in (0, 1].
    [[nodiscard]] double share(const graph::GemmShape& shape) const;
    /// Rate in eight bits as a share of the matmul rate in 16, in (0, 2].
    [[nodiscard]] double fp8_share(const graph::GemmShape& shape) const;

    MatmulRates rates_;
    hardware::AttentionSpec form_;
    BytesPerSecond memory_;
};

}  // namespace dse::model
