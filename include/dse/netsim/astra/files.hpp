#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dse/netsim/astra/machine.hpp"

namespace dse::netsim {

/// What ASTRA-sim's network file (YAML), system file (JSON) and memory file (JSON) say, key by key, as it
/// stands there. Keys that are left out have its own defaults; those without a default must be given.
struct AstraFiles {
    std::vector<std::string> topology;     ///< Ring, Switch or FullyConnected, innermost first
    std::vector<std::int64_t> npus_count;  ///< each above 1
    std::vector<double> bandwidth;         ///< "GB/s", above 0
    std::vector<double> latency;           ///< ns

    /// By graph::CollectiveKind: "all-reduce-implementation", "all-gather-…", "reduce-scatter-…",
    /// "all-to-all-…".
    std::array<std::vector<std::string>, 4> implementation;
    /// Likewise the prefixes of "…-implementation-custom"; empty: none.
    std::array<std::string, 4> custom;
    std::map<std::int64_t, std::string> per_node_custom;  ///< "per-node-custom-implementation", by node id
    std::int64_t preferred_dataset_splits{0};             ///< no default
    std::int64_t active_chunks_per_dimension{1};
    std::int64_t endpoint_delay{10};  ///< ns
    bool model_shared_bus{false};
    AstraBusRules bus;         ///< "L", "o", "g" (ns), "G" (ns a byte), "local-reduction-delay"
    double local_mem_bw{0.0};  ///< GB/s, of 10^9 bytes; no default
    std::string
        collective_optimization;  ///< baseline or localBWAware; no default where there are …-implementation
    std::string scheduling_policy;  ///< LIFO, FIFO or EXPLICIT; no default
    double peak_perf{0.0};          ///< TFLOPS
    bool roofline_enabled{false};
    bool replay_only{false};

    std::string memory_type;             ///< NO_MEMORY_EXPANSION, …; no default
    std::int64_t remote_mem_latency{0};  ///< ns
    double remote_mem_bw{0.0};           ///< bytes a ns, of which the whole ones count
    std::int64_t num_nodes{0};           ///< of PER_NODE_MEMORY_EXPANSION
    std::int64_t num_npus_per_node{0};   ///< likewise
};

/// The parameters of its collectives.
/// \throws InputError that names the key, where a value is none that ASTRA-sim can play
AstraSystem astra_system(const AstraFiles& files);

/// The same, and all that plays traces, but for the schedules of custom collectives.
AstraMachine astra_machine(const AstraFiles& files);

}  // namespace dse::netsim
