#pragma once

#include <cstdint>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// Remote memory, as in ASTRA-sim's memory file ("memory-type").
struct AstraMemory {
    enum class Kind : std::uint8_t {
        none,      ///< nodes that load or store are rejected
        per_npu,   ///< each device has its own
        per_node,  ///< the devices of a node share one, which serves requests one at a time
        pool,      ///< all devices share one, which serves requests one at a time
    };
    Kind kind{Kind::none};
    Ticks latency{0};           ///< "remote-mem-latency"
    double bytes_per_tick{0};   ///< "remote-mem-bw", above 0 unless the type is none
    std::int64_t nodes{0};      ///< "num-nodes", for per_node
    std::int64_t node_size{0};  ///< "num-npus-per-node", for per_node

    [[nodiscard]] Ticks delay(std::int64_t bytes) const {
        return latency + whole_ticks(static_cast<double>(bytes) / bytes_per_tick);
    }
};

}  // namespace dse::netsim
