#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dse/graph/class_split.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::eval {

/// Which of a system's devices the ranks of a job have, stage by stage: class 0 is the cluster's, class n
/// SystemSpec::device_classes[n - 1].
class JobDevices {
  public:
    /// \param system  valid; of at least as many devices as the mesh
    JobDevices(const hardware::SystemSpec& system, const graph::Mesh& mesh);

    /// Whether some stage has devices of several classes.
    [[nodiscard]] bool differ_within_a_stage() const { return differ_; }
    /// \pre !differ_within_a_stage()
    [[nodiscard]] std::span<const graph::DeviceClass> of_stage() const { return of_stage_; }
    /// By rank.
    using OfRank = std::vector<graph::DeviceClass>;
    [[nodiscard]] const OfRank& of_rank() const& { return of_rank_; }
    [[nodiscard]] OfRank of_rank() && { return std::move(of_rank_); }
    /// Memory of the smallest device of a stage.
    [[nodiscard]] Bytes capacity(std::size_t stage) const { return capacity_[stage]; }

  private:
    bool differ_{false};
    OfRank of_rank_;
    std::vector<graph::DeviceClass> of_stage_;
    std::vector<Bytes> capacity_;
};

/// \param device  as JobDevices counts them
const hardware::DeviceSpec& device_of_class(const hardware::SystemSpec& system, graph::DeviceClass device);

}  // namespace dse::eval
