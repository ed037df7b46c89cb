#include "dse/sim/replay/node_times.hpp"

#include <algorithm>
#include <array>

#include "dse/base/error.hpp"
#include "dse/model/host_copy.hpp"
#include "sim/replay/traced_collective.hpp"

namespace dse::sim::replay {
namespace {

using trace::chakra::CommType;
using trace::chakra::NodeType;
using trace::chakra::TraceField;
using trace::chakra::TraceStep;

Seconds recorded(const TraceStep& step) {
    return Seconds{static_cast<double>(step.duration_micros) * 1e-6};
}

bool has_duration(const TraceStep& step) {
    return step.present.contains(TraceField::duration) && step.duration_micros > 0;
}

}  // namespace

NodeTimes::NodeTimes(const hardware::ClusterSpec& cluster, const model::NetworkModel& network,
                     std::int64_t devices, KernelTimes kernels)
    : cluster_{cluster}, network_{network}, devices_{devices}, kernels_{kernels} {}

Seconds NodeTimes::compute(const TraceStep& step) const {
    if (step.type != NodeType::comp) return Seconds{};
    if (step.is_cpu_op) return recorded(step);
    const bool says_work =
        step.present.contains(TraceField::num_ops) || step.present.contains(TraceField::tensor_size);
    if (kernels_ == KernelTimes::roofline) {
        if (!says_work) throw ModelError("it has neither num_ops nor tensor_size");
        return roofline(step);
    }
    // Files omit durations of 0: a node without any other data took no time.
    if (has_duration(step) || !says_work) return recorded(step);
    if (kernels_ == KernelTimes::recorded) throw ModelError("it has no duration");
    return roofline(step);
}

Seconds NodeTimes::roofline(const TraceStep& step) const {
    const hardware::DeviceSpec& device = cluster_.device;
    const Seconds memory = Bytes{static_cast<double>(step.tensor_size)} / device.memory.sustained();
    const FlopPerSecond peak = device.peak.bf16;
    const Flop operations{static_cast<double>(step.num_ops)};
    const Seconds units = peak > FlopPerSecond{} ? operations / peak : Seconds{};
    return std::max(memory, units) + device.kernel_latency;
}

Seconds NodeTimes::copy(const TraceStep& step) const {
    if (kernels_ != KernelTimes::roofline && has_duration(step)) return recorded(step);
    if (!step.present.contains(TraceField::tensor_size))
        throw ModelError("it has neither a duration nor tensor_size");
    const auto direction =
        step.type == NodeType::mem_load ? graph::CopyDirection::to_device : graph::CopyDirection::to_host;
    return model::copy_time({Bytes{static_cast<double>(step.tensor_size)}, direction}, cluster_.host);
}

Seconds NodeTimes::message(std::int64_t from, std::int64_t to, std::int64_t bytes) const {
    const std::array ends{from, to};
    return network_.time({std::nullopt, Bytes{static_cast<double>(bytes)}, model::RankList{ends, devices_}});
}

Seconds NodeTimes::collective(CommType type, std::int64_t size, std::span<const std::int64_t> members) {
    Key key{type, size, {members.begin(), members.end()}};
    const auto found = collectives_.find(key);
    if (found != collectives_.end()) return found->second;
    return collectives_.emplace(std::move(key), ask(type, size, members)).first->second;
}

Seconds NodeTimes::ask(CommType type, std::int64_t size, std::span<const std::int64_t> members) const {
    if (members.size() == 1) return Seconds{};
    const TracedCollective what = traced_collective(type, size, std::ssize(members));
    return network_.time({what.kind, what.size, model::RankList{members, devices_}});
}

}  // namespace dse::sim::replay
