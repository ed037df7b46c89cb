#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dse/graph/class_split.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::eval {

/// Device classes of the ranks and stages of a job: class 0 is the cluster's device, class n is
/// SystemSpec::device_classes[n - 1].
class JobDevices {
  public:
    /// \param system  valid; with at least as many devices as the mesh
    JobDevices(const hardware::SystemSpec& system, const graph::Mesh& mesh);

    /// Whether some stage has devices of several classes.
    [[nodiscard]] bool differ_within_a_stage() const { return differ_; }
    /// \pre !differ_within_a_stage()
    [[nodiscard]] std::span<const graph::DeviceClass> of_stage() const { return of_stage_; }
    /// Device class by rank.
    using OfRank = std::vector<graph::DeviceClass>;
    [[nodiscard]] const OfRank& of_rank() const& { return of_rank_; }
    [[nodiscard]] OfRank of_rank() && { return std::move(of_rank_); }
    /// Smallest memory capacity of a stage's devices.
    [[nodiscard]] Bytes capacity(std::size_t stage) const { return capacity_[stage]; }

  private:
    bool differ_{false};
    OfRank of_rank_;
    std::vector<graph::DeviceClass> of_stage_;
    std::vector<Bytes> capacity_;
};

/// \param device  class as defined by JobDevices
const hardware::DeviceSpec& device_of_class(const hardware::SystemSpec& system, graph::DeviceClass device);

}  // namespace dse::eval
