#pragma once

#include <algorithm>
#include <array>

#include "dse/graph/graph.hpp"

namespace dse::test {

/// What playing a region once does to memory, found by playing every node of it in issue order.
class RegionMemory {
  public:
    RegionMemory(const graph::Graph& graph, const graph::StageProgram& program, graph::RegionId id)
        : graph_{graph}, program_{program} {
        play(id);
    }

    [[nodiscard]] double net() const { return now_; }
    [[nodiscard]] double peak() const { return peak_; }
    [[nodiscard]] double host() const { return host_; }  ///< net, of the host's memory
    [[nodiscard]] double net(graph::MemoryKind kind) const { return now_by_kind_[index(kind)]; }
    [[nodiscard]] double peak(graph::MemoryKind kind) const { return peak_by_kind_[index(kind)]; }

  private:
    static std::size_t index(graph::MemoryKind kind) { return static_cast<std::size_t>(kind); }

    void change(graph::BufferId id, double sign) {
        const graph::Buffer& buffer = graph_.buffers[id.index()];
        const double bytes = sign * buffer.size.value();
        if (buffer.kind == graph::host_memory) {
            host_ += bytes;
            return;
        }
        now_ += bytes;
        peak_ = std::max(peak_, now_);
        double& kind = now_by_kind_[index(buffer.kind)];
        kind += bytes;
        peak_by_kind_[index(buffer.kind)] = std::max(peak_by_kind_[index(buffer.kind)], kind);
    }

    void play(graph::RegionId id) {
        for (const graph::Item& item : graph_.regions[id.index()].items) {
            if (item.kind == graph::Item::Kind::repeat) {
                for (std::int64_t i = 0; i < program_.counts[item.count.index()]; ++i) play(item.body);
                continue;
            }
            for (const graph::BufferId buffer : item.allocates) change(buffer, 1.0);
            for (const graph::BufferId buffer : item.frees) change(buffer, -1.0);
        }
    }

    const graph::Graph& graph_;
    const graph::StageProgram& program_;
    double now_{0};
    double peak_{0};
    double host_{0};
    std::array<double, graph::memory_kind_count> now_by_kind_{};
    std::array<double, graph::memory_kind_count> peak_by_kind_{};
};

}  // namespace dse::test
