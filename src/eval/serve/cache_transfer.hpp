#pragma once

#include <cstdint>

#include "dse/graph/mesh.hpp"
#include "dse/hardware/pools_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::eval {

/// Time from the end of a prompt until its cache has arrived in the other pool. All ranks send their parts to
/// peers concurrently; if the pools split caches differently, the rank with the largest part determines the
/// time. Contention between prompts is not modelled.
class CacheTransfer {
  public:
    /// \param bytes_a_token  bytes per token on the rank with the largest part
    /// \param state_bytes    of recurrent layers, per prompt on that rank
    /// \param layers         number of layers of the model
    CacheTransfer(const model::NetworkModel& network, const hardware::PoolsSpec& pools, double bytes_a_token,
                  double state_bytes, std::int64_t layers);

    /// \param reading  duration of the prompt in ticks
    serving::Ticks operator()(std::int64_t tokens, serving::Ticks reading) const;

  private:
    const model::NetworkModel& network_;
    hardware::CacheTransfer form_;
    graph::Mesh mesh_;  ///< the prefill pool as a pipeline stage before its peers
    double bytes_a_token_;
    double state_bytes_;
    std::int64_t layers_;
};

}  // namespace dse::eval
