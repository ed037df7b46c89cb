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

/// A graph whose kernels stand once for each class of devices that its pipeline stages have, so that each can
/// have a time of its own: what is equal up to its class is otherwise shared by stages. It plays, needs and
/// sends what the original does.
class ClassSplit {
  public:
    /// \param graph     valid; is copied
    /// \param of_stage  the class of each stage's devices
    void read(const Graph& graph, std::span<const DeviceClass> of_stage);

    [[nodiscard]] const Graph& graph() const { return graph_; }
    /// The class whose stages play a work, by WorkId; 0 of all but kernels.
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
