#include "app/simulated_job.hpp"

#include <algorithm>

#include "dse/netsim/registry.hpp"
#include "dse/sim/replay/machine_replay.hpp"

namespace dse::app {

bool stops_play(const trace::chakra::Finding& finding) {
    using trace::chakra::FindingKind;
    return severity(finding.kind) == trace::chakra::Severity::error &&
           finding.kind != FindingKind::bad_record && finding.kind != FindingKind::cycle;
}

Seconds simulated_job(const LoadedTraces& traces, const hardware::ClusterSpec& cluster) {
    const auto network = netsim::network_models().find("latency_bandwidth")(cluster.network);
    const auto devices = static_cast<std::int64_t>(traces.set.ranks.size());
    sim::replay::NodeTimes times{cluster, *network, devices, sim::replay::KernelTimes::recorded_first};
    Seconds last{};
    for (const auto& rank : replay_on_machine({traces.set.ranks, &traces.groups}, times))
        last = std::max(last, rank.finish);
    return last;
}

}  // namespace dse::app
