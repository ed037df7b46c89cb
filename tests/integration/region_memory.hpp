#pragma once

#include <algorithm>
#include <array>

#include "dse/workload/graph.hpp"

namespace dse::test {

/// What playing a region once does to memory, found by playing every node of it in issue order.
class RegionMemory {
  public:
    RegionMemory(const workload::Graph& graph, const workload::StageProgram& program, workload::RegionId id)
        : graph_{graph}, program_{program} {
        play(id);
    }

    [[nodiscard]] double net() const { return now_; }
    [[nodiscard]] double peak() const { return peak_; }
    [[nodiscard]] double host() const { return host_; }  ///< net, of the host's memory
    [[nodiscard]] double net(workload::MemoryKind kind) const { return now_by_kind_[index(kind)]; }
    [[nodiscard]] double peak(workload::MemoryKind kind) const { return peak_by_kind_[index(kind)]; }

  private:
    static std::size_t index(workload::MemoryKind kind) { return static_cast<std::size_t>(kind); }

    void change(workload::BufferId id, double sign) {
        const workload::Buffer& buffer = graph_.buffers[id.index()];
        const double bytes = sign * buffer.size.value();
        if (buffer.kind == workload::host_memory) {
            host_ += bytes;
            return;
        }
        now_ += bytes;
        peak_ = std::max(peak_, now_);
        double& kind = now_by_kind_[index(buffer.kind)];
        kind += bytes;
        peak_by_kind_[index(buffer.kind)] = std::max(peak_by_kind_[index(buffer.kind)], kind);
    }

    void play(workload::RegionId id) {
        for (const workload::Item& item : graph_.regions[id.index()].items) {
            if (item.kind == workload::Item::Kind::repeat) {
                for (std::int64_t i = 0; i < program_.counts[item.count.index()]; ++i) play(item.body);
                continue;
            }
            for (const workload::BufferId buffer : item.allocates) change(buffer, 1.0);
            for (const workload::BufferId buffer : item.frees) change(buffer, -1.0);
        }
    }

    const workload::Graph& graph_;
    const workload::StageProgram& program_;
    double now_{0};
    double peak_{0};
    double host_{0};
    std::array<double, workload::memory_kind_count> now_by_kind_{};
    std::array<double, workload::memory_kind_count> peak_by_kind_{};
};

}  // namespace dse::test
