#include "heaviest_branch.hpp"

#include <algorithm>

namespace dse::frontend {

namespace {

// Rates of a device for comparing branches, as a graph is independent of devices. They only matter if no
// branch has both the most FLOPs and the most bytes.
constexpr FlopPerSecond compute_rate{1e15};
constexpr BytesPerSecond memory_rate{1e12};

}  // namespace

std::size_t HeaviestBranch::of(std::span<const ir::ComputationId> branches) {
    std::size_t heaviest = 0;
    for (std::size_t i = 1; i < branches.size(); ++i) {
        if (seconds(branches[i]) > seconds(branches[heaviest])) heaviest = i;
    }
    return heaviest;
}

double HeaviestBranch::seconds_once(const ir::Operation& operation) {
    const DeviceWork kind = device_work(program_, operation);
    if (kind == DeviceWork::kernel) {
        const graph::Compute compute = kernels_.kernel(operation);
        return std::max(compute.executed_flop / compute_rate, (compute.read + compute.written) / memory_rate)
            .value();
    }
    if (kind != DeviceWork::control) return 0.0;
    const bool is_one_played = operation.opcode == ir::Opcode::conditional;
    double sum = 0.0;
    for (const ir::ComputationId called : program_.called(operation))
        sum = is_one_played ? std::max(sum, seconds(called)) : sum + seconds(called);
    return sum;
}

double HeaviestBranch::seconds(ir::ComputationId id) {
    const auto found = seconds_.find(id.index());
    if (found != seconds_.end()) return found->second;
    double sum = 0.0;
    for (const ir::Operation& operation : program_[id].operations) {
        const auto* loop = program_.attribute_if<ir::Loop>(operation);
        const auto times = loop != nullptr ? loop->trip_count.value_or(1) : 1;
        sum += seconds_once(operation) * static_cast<double>(times);
    }
    seconds_[id.index()] = sum;
    return sum;
}

}  // namespace dse::frontend
