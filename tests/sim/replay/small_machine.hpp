#pragma once

#include "dse/hardware/cluster_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/sim/replay/node_times.hpp"

namespace dse::sim::replay {

/// A device of 1 TFLOP/s and 1 TB/s, and 10 GB/s to its host.
inline hardware::ClusterSpec small_cluster() {
    hardware::ClusterSpec cluster;
    cluster.device.peak.bf16 = FlopPerSecond{1e12};
    cluster.device.memory.bandwidth = BytesPerSecond{1e12};
    cluster.host.bandwidth = BytesPerSecond{10e9};
    return cluster;
}

/// A network on which a byte takes a nanosecond, in a message or in a collective of any group.
class PlainNetwork final : public model::NetworkModel {
  public:
    Seconds time(const model::Communication& what) const override {
        const auto& ranks = std::get<model::RankList>(what.devices).ranks;
        if (what.collective) {
            last_kind = *what.collective;
            last_degree = std::ssize(ranks);
        }
        return Seconds{ranks.front() == ranks.back() ? 0.0 : what.size.value() * 1e-9};
    }
    mutable graph::CollectiveKind last_kind{};
    mutable std::int64_t last_degree{0};
};

}  // namespace dse::sim::replay
