#include "dse/eval/shortage.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "dse/base/gibibyte.hpp"
#include "dse/eval/measure.hpp"
#include "eval/job_devices.hpp"

namespace dse::eval {

namespace {

/// Memory capacity of a stage's devices; the smallest if they differ.
class StageCapacity {
  public:
    StageCapacity(const study::Scenario& scenario, const graph::Mesh& mesh)
        : usual_{scenario.system.cluster.device.memory.capacity} {
        if (!scenario.system.device_classes.empty()) devices_.emplace(scenario.system, mesh);
    }
    Bytes operator()(std::size_t stage) const { return devices_ ? devices_->capacity(stage) : usual_; }

  private:
    Bytes usual_;
    std::optional<JobDevices> devices_;
};

std::optional<Shortage> shortage_of(const study::Scenario& scenario, const sim::MemoryPeak& memory,
                                    Bytes capacity) {
    const Bytes peak = peak_memory(scenario, memory);
    if (peak > capacity) return Shortage{peak, capacity, memory.stage, memory.by_kind};
    const Bytes host = scenario.system.cluster.host.capacity;
    if (Bytes{memory.host} > host) return Shortage{Bytes{memory.host}, host, 0, {}, Shortage::Of::host};
    return std::nullopt;
}

}  // namespace

std::optional<Shortage> shortage_of_states(const study::Scenario& scenario, const graph::Graph& graph) {
    const StageCapacity capacity_of{scenario, graph.mesh};
    const double overhead = 1.0 + scenario.workload.stack.allocator_overhead;
    const Bytes outside = memory_outside(scenario);
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
        sim::BytesByKind by_kind{};
        Bytes total;
        for (const graph::BufferId id : graph.programs[graph.program_of[stage]].resident) {
            const graph::Buffer& buffer = graph.buffers[id.index()];
            if (buffer.kind == graph::host_memory) continue;
            by_kind[static_cast<std::size_t>(buffer.kind)] += buffer.size.value();
            total += buffer.size;
        }
        const Bytes capacity = capacity_of(stage);
        const Bytes need = total * overhead + outside;
        if (need > capacity) return Shortage{need, capacity, stage, by_kind};
    }
    return std::nullopt;
}

std::optional<Shortage> shortage_of_peak(const study::Scenario& scenario, const sim::MemoryPeak& memory) {
    return shortage_of(scenario, memory, scenario.system.cluster.device.memory.capacity);
}

std::optional<Shortage> shortage_of_stages(const study::Scenario& scenario, const graph::Graph& graph,
                                           std::span<const sim::MemoryPeak> stages) {
    const StageCapacity capacity_of{scenario, graph.mesh};
    for (const sim::MemoryPeak& stage : stages) {
        if (auto shortage = shortage_of(scenario, stage, capacity_of(stage.stage))) return shortage;
    }
    return std::nullopt;
}

void write_reason(const Shortage& shortage, std::string& text) {
    const auto largest = std::max_element(shortage.by_kind.begin(), shortage.by_kind.end());
    const auto kind = static_cast<graph::MemoryKind>(largest - shortage.by_kind.begin());
    text.clear();
    const double need = shortage.need.value() / gibibyte;
    const double capacity = shortage.capacity.value() / gibibyte;
    if (shortage.of == Shortage::Of::host && capacity == 0.0) {
        fmt::format_to(
            std::back_inserter(text),
            "needs {:.1f} GiB of host memory a device; the machine states none (cluster.host.capacity)",
            need);
        return;
    }
    if (shortage.of == Shortage::Of::host) {
        fmt::format_to(std::back_inserter(text), "needs {:.1f} GiB of {:.1f} GiB of host memory a device",
                       need, capacity);
        return;
    }
    fmt::format_to(std::back_inserter(text),
                   "needs {:.1f} GiB of {:.1f} GiB on stage {}, most of it {} ({:.1f} GiB)", need, capacity,
                   shortage.stage, graph::name(kind), *largest / gibibyte);
}

}  // namespace dse::eval
