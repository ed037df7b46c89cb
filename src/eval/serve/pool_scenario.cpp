#include "eval/serve/pool_scenario.hpp"

#include <algorithm>

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

/// Ranks of a pool; those of the prefill pool come first.
struct Ranks {
    std::int64_t first{0};
    std::int64_t number{0};

    /// Number of ranks of a device class among them.
    [[nodiscard]] std::int64_t of(const hardware::RankSet& others) const {
        std::int64_t found = 0;
        for (std::int64_t i = 0; i < others.number; ++i) {
            const std::int64_t rank = others.first_rank + i * others.rank_stride;
            found += static_cast<std::int64_t>(rank >= first && rank < first + number);
        }
        return found;
    }
};

void set_devices(const Ranks& ranks, hardware::SystemSpec& system) {
    const auto classes = std::move(system.device_classes);
    system.device_classes.clear();
    system.devices = ranks.number;
    for (const hardware::DeviceClassSpec& other : classes) {
        const std::int64_t found = ranks.of(other.ranks);
        if (found == 0) continue;
        if (found != ranks.number) throw ModelError("pools: the devices of a pool are of one kind");
        system.cluster.device = other.device;
    }
}

void set_engine(const hardware::PoolSpec& own, graph::ServingEngine& engine) {
    engine.attention_dp = own.attention_dp;
    engine.concurrent_batches = false;  // a worker has one batch at a time
    if (own.max_sequences > 0) engine.max_sequences = own.max_sequences;
    if (own.token_budget > 0) engine.token_budget = own.token_budget;
    engine.max_sequences = std::min(engine.max_sequences, engine.token_budget);
}

}  // namespace

study::Scenario pool_scenario(const study::Scenario& whole, Pool pool) {
    const hardware::PoolsSpec& pools = whole.system.pools;
    const bool reads = pool == Pool::prefill;
    const hardware::PoolSpec& own = reads ? pools.prefill : pools.decode;
    study::Scenario scenario = whole;
    scenario.system.pools = {};
    scenario.system.stragglers = {};
    set_devices({reads ? 0 : pools.prefill.devices, own.devices}, scenario.system);
    graph::ParallelLayout& layout = scenario.workload.layout;
    layout.tp = own.tp;
    layout.pp = own.pp;
    layout.ep = own.ep;
    layout.cp = 1;
    layout.dp = 0;
    layout.etp = own.ep > 1 ? std::max<std::int64_t>(1, own.tp * own.attention_dp / own.ep) : 0;
    set_engine(own, scenario.workload.engine);
    if (reads) scenario.workload.engine.speculative = graph::Speculation::none;
    return scenario;
}

}  // namespace dse::eval
