#pragma once

#include <cstdint>

#include "dse/graph/mesh.hpp"
#include "dse/hardware/pools_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::eval {

/// Time from the end of a prompt until its cache lies in the other pool. Every rank sends its part to a peer
/// at once; where the pools cut caches differently, the rank that has most of one is the last to be done. No
/// contention between prompts.
class CacheTransfer {
  public:
    /// \param bytes_a_token  on the rank that has most of it \param layers  of the model
    CacheTransfer(const model::NetworkModel& network, const hardware::PoolsSpec& pools, double bytes_a_token,
                  std::int64_t layers);

    /// \param reading  ticks that the prompt took
    serving::Ticks operator()(std::int64_t tokens, serving::Ticks reading) const;

  private:
    const model::NetworkModel& network_;
    hardware::CacheTransfer form_;
    graph::Mesh mesh_;  ///< the pool that reads as a stage before its peers
    double bytes_a_token_;
    std::int64_t layers_;
};

}  // namespace dse::eval
