#pragma once

#include <cstdint>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// Memory beyond a device's own, as ASTRA-sim's memory file has it ("memory-type").
struct AstraMemory {
    enum class Kind : std::uint8_t {
        none,      ///< nodes that load or store are refused
        per_npu,   ///< each device has its own
        per_node,  ///< the devices of a node share one, which serves one request after the other
        pool,      ///< all devices share one, likewise
    };
    Kind kind{Kind::none};
    Ticks latency{0};           ///< "remote-mem-latency"
    double bytes_per_tick{0};   ///< "remote-mem-bw", above 0 unless there is none
    std::int64_t nodes{0};      ///< "num-nodes", of per_node
    std::int64_t node_size{0};  ///< "num-npus-per-node", likewise

    [[nodiscard]] Ticks delay(std::int64_t bytes) const {
        return latency + whole_ticks(static_cast<double>(bytes) / bytes_per_tick);
    }
};

}  // namespace dse::netsim
