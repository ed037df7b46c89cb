#include "netsim/flow_play.hpp"

#include <array>

#include "dse/base/check.hpp"
#include "netsim/flow/levels.hpp"
#include "netsim/flow/library_job.hpp"

namespace dse::netsim {

FlowPlay::FlowPlay(const hardware::NetworkSpec& network, const graph::Mesh& mesh)
    : network_{network},
      mesh_{mesh},
      places_{network, mesh.ranks()},
      fabric_{flow::build_fabric(network, places_.devices())},
      traffic_{fabric_, network_.topology},
      message_{flow::plan_message()},
      swap_{flow::plan_message()} {
    swap_.phases.front().push_back({1, 0, 1.0, 1.0});
}

const flow::CollectivePlan& FlowPlay::plan_of(const graph::Collective& collective) {
    const std::pair key{collective.kind, collective.axes.bits()};
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    const std::vector<flow::Level> levels = flow::levels_of(network_, mesh_, collective.axes);
    return plans_.emplace(key, flow::plan_collective(collective.kind, levels)).first->second;
}

model::NetworkPlay::Number FlowPlay::start(const flow::CollectivePlan& plan, Bytes size, Seconds launch,
                                           double share, std::span<const std::int64_t> members) {
    const flow::Job job = flow::library_job(network_.collective, plan, size, launch, share);
    if (free_.empty()) {
        free_.push_back(static_cast<Number>(going_on_.size()));
        going_on_.push_back(0);
    }
    const Number number = free_.back();
    free_.pop_back();
    going_on_[number] = places_.jobs();
    for (std::int64_t j = 0; j < places_.jobs(); ++j) {
        const std::size_t run = traffic_.start(job, places_.place(j, members)).index();
        if (run >= number_of_.size()) number_of_.resize(run + 1);
        number_of_[run] = number;
    }
    return number;
}

model::NetworkPlay::Number FlowPlay::begin(const graph::Collective& collective,
                                           std::span<const std::int64_t> members, double share) {
    DSE_EXPECT(members.size() >= 2);
    const hardware::CollectiveSpec& library = network_.collective;
    if (collective.members != graph::Members::all) {
        return start(swap_, collective.size, library.message_launch, share, members);
    }
    const bool message = collective.kind == graph::CollectiveKind::ring_shift;
    return start(plan_of(collective), collective.size, message ? library.message_launch : library.launch,
                 share, members);
}

model::NetworkPlay::Number FlowPlay::begin(Bytes size, std::int64_t from, std::int64_t to, double share) {
    return start(message_, size, network_.collective.message_launch, share, std::array{from, to});
}

std::span<const model::NetworkPlay::Number> FlowPlay::advance(double time) {
    ended_.clear();
    for (const flow::RunId run : traffic_.advance(time)) {
        const Number number = number_of_[run.index()];
        if (--going_on_[number] == 0) ended_.push_back(number);
    }
    free_.insert(free_.end(), ended_.begin(), ended_.end());
    return ended_;
}

}  // namespace dse::netsim
