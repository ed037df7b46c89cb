#include "dse/netsim/flow/traffic.hpp"

#include <algorithm>
#include <limits>

#include "dse/base/check.hpp"
#include "dse/base/checkpoint.hpp"

namespace dse::netsim::flow {
namespace {

constexpr std::uint64_t steps_an_event = 64;

}  // namespace

Traffic::Traffic(const Fabric& fabric, const hardware::TopologySpec& topology)
    : fabric_{&fabric},
      router_{fabric.graph, topology.paths, static_cast<std::uint64_t>(topology.path_seed)},
      network_{fabric.graph} {}

RunId Traffic::start(const Job& job, std::span<const std::int64_t> members) {
    DSE_EXPECT(job.plan != nullptr && !job.plan->phases.empty() && job.size > Bytes{} && job.chunks >= 1);
    DSE_EXPECT(static_cast<std::int64_t>(members.size()) == job.plan->members);
    if (free_runs_.empty()) {
        free_runs_.push_back(static_cast<std::uint32_t>(runs_.size()));
        runs_.emplace_back();
    }
    const std::uint32_t id = free_runs_.back();
    free_runs_.pop_back();
    Run& run = runs_[id];
    run.job = job;
    run.chunks = job.plan->pipelines ? job.chunks : 1;
    run.members.assign(members.begin(), members.end());
    const std::size_t phases = job.plan->phases.size();
    const auto chunks = static_cast<std::size_t>(run.chunks);
    run.steps.assign(phases * chunks, Step{});
    run.unfinished = static_cast<std::int64_t>(run.steps.size());
    for (std::size_t step = 0; step < run.steps.size(); ++step) {
        const bool has_phase_before = step >= chunks;
        const bool has_chunk_before = step % chunks > 0;
        run.steps[step].missing = (has_phase_before ? 1 : 0) + (has_chunk_before ? 1 : 0);
        run.steps[step].ready = now() + job.launch.value();
    }
    begin(id, 0);
    return RunId{id};
}

void Traffic::begin(std::uint32_t id, std::uint32_t index) {
    Run& run = runs_[id];
    const Job& job = run.job;
    Step& step = run.steps[index];
    const Phase& phase = job.plan->phases[index / static_cast<std::size_t>(run.chunks)];
    step.unfinished = static_cast<std::int64_t>(phase.size());
    const double size = job.size.value() / static_cast<double>(run.chunks);
    for (const Send& send : phase) {
        const NodeId from{static_cast<std::size_t>(run.members[send.from])};
        const NodeId to{static_cast<std::size_t>(run.members[send.to])};
        route_.clear();
        router_.route(from, to, &network_, route_);
        double latency = 0.0;
        for (const LinkId link : route_) latency += fabric_->graph.link(link).latency.value();
        const double enters = step.ready + latency * send.messages * job.latency_share;
        const FlowId flow =
            network_.add(route_, Bytes{size * send.share}, Seconds{std::max(0.0, enters - now())});
        if (flow.index() >= owners_.size()) owners_.resize(flow.index() + 1);
        owners_[flow.index()] = {id, index};
    }
}

void Traffic::arrive(std::uint32_t id, std::uint32_t step) {
    if (--runs_[id].steps[step].missing == 0) begin(id, step);
}

void Traffic::end(const Owner& owner) {
    Run& run = runs_[owner.run];
    if (--run.steps[owner.step].unfinished > 0) return;
    if (--run.unfinished == 0) {
        free_runs_.push_back(owner.run);
        ended_.emplace_back(owner.run);
        return;
    }
    const auto chunks = static_cast<std::uint32_t>(run.chunks);
    const std::uint32_t next_phase = owner.step + chunks;
    if (next_phase < run.steps.size()) {
        run.steps[next_phase].ready = now();
        arrive(owner.run, next_phase);
    }
    if (owner.step % chunks + 1 < chunks) arrive(owner.run, owner.step + 1);
}

std::span<const RunId> Traffic::advance(double time) {
    ended_.clear();
    // Look up all owners first: flows started by an end reuse the numbers of ended flows.
    ending_.clear();
    for (const FlowId flow : network_.advance(time)) ending_.push_back(owners_[flow.index()]);
    for (const Owner& owner : ending_) end(owner);
    return ended_;
}

Seconds Traffic::drain() {
    for (double time = next_time(); time < std::numeric_limits<double>::infinity(); time = next_time()) {
        checkpoint(steps_an_event);
        advance(time);
    }
    const Seconds end{now()};
    network_.restart();
    return end;
}

}  // namespace dse::netsim::flow
