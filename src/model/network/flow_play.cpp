#include "dse/model/network/flow_play.hpp"

#include <array>

#include "dse/base/check.hpp"
#include "dse/model/network/flow_model.hpp"

namespace dse::model {

FlowPlay::FlowPlay(const hardware::NetworkSpec& network, const workload::Mesh& mesh)
    : network_{network},
      mesh_{mesh},
      fabric_{flow::build_fabric(network, mesh.ranks())},
      traffic_{fabric_, network_.topology},
      message_{flow::plan_message()},
      swap_{flow::plan_message()} {
    swap_.phases.front().push_back({1, 0, 1.0, 1.0});
}

const flow::CollectivePlan& FlowPlay::plan_of(const workload::Collective& collective) {
    const std::pair key{collective.kind, collective.axes.bits()};
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    const std::vector<flow::Level> levels = levels_of(network_, mesh_, collective.axes);
    return plans_.emplace(key, flow::plan_collective(collective.kind, levels)).first->second;
}

NetworkPlay::Number FlowPlay::start(const flow::CollectivePlan& plan, Bytes size, Seconds launch,
                                    double share, std::span<const std::int64_t> members) {
    flow::Job job;
    job.plan = &plan;
    job.size = size * share;
    job.chunks = network_.collective.chunks;
    job.launch = launch * share;
    job.latency_share = share;
    return static_cast<Number>(traffic_.start(job, members).index());
}

NetworkPlay::Number FlowPlay::begin(const workload::Collective& collective,
                                    std::span<const std::int64_t> members, double share) {
    DSE_EXPECT(members.size() >= 2);
    const hardware::CollectiveSpec& library = network_.collective;
    if (collective.members != workload::Members::all) {
        return start(swap_, collective.size, library.message_launch, share, members);
    }
    const bool message = collective.kind == workload::CollectiveKind::ring_shift;
    return start(plan_of(collective), collective.size, message ? library.message_launch : library.launch,
                 share, members);
}

NetworkPlay::Number FlowPlay::begin(Bytes size, std::int64_t from, std::int64_t to, double share) {
    return start(message_, size, network_.collective.message_launch, share, std::array{from, to});
}

std::span<const NetworkPlay::Number> FlowPlay::advance(double time) {
    ended_.clear();
    for (const flow::RunId run : traffic_.advance(time)) ended_.push_back(static_cast<Number>(run.index()));
    return ended_;
}

}  // namespace dse::model
