#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::graph {

/// A class of devices; 0 is the usual one.
using DeviceClass = std::uint16_t;

/// Copies a graph so that each kernel exists once per class of devices among the pipeline stages and can
/// have a different duration on each class. (Stages usually share equal kernels.) The copy does the same
/// work, uses the same memory and sends the same messages as the original.
class ClassSplit {
  public:
    /// \param graph     a valid graph, which is copied
    /// \param of_stage  class of the devices of each stage
    void read(const Graph& graph, std::span<const DeviceClass> of_stage);

    [[nodiscard]] const Graph& graph() const { return graph_; }
    /// Class of the stages that run each work, indexed by WorkId; 0 for everything but kernels.
    [[nodiscard]] std::span<const DeviceClass> class_of_work() const { return class_of_work_; }

  private:
    std::uint32_t program_for(std::uint32_t program, DeviceClass device);
    RegionId region_for(RegionId region, DeviceClass device);
    WorkId work_for(WorkId work, DeviceClass device);

    Graph graph_;
    std::vector<DeviceClass> class_of_work_;
    std::map<std::pair<std::uint32_t, DeviceClass>, std::uint32_t> programs_;
    std::map<std::pair<RegionId, DeviceClass>, RegionId> regions_;
    std::map<std::pair<WorkId, DeviceClass>, WorkId> works_;
};

}  // namespace dse::graph
