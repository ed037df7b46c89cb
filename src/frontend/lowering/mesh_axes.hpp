#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/graph/mesh.hpp"
#include "frontend/lowering/device_partition.hpp"

namespace dse::frontend {

/// The devices of a program as a grid, found from who meets in its collectives: groups of [2,4]<=[8] beside
/// groups of [4,2]<=[2,4]T(1,0) are rows and columns of a grid of 2 × 4.
///
/// A group is regular where its members are 0, s, 2s, … of one or more strides s; the strides of all groups
/// together cut the numbers of the devices into digits, and each digit is an axis.
class MeshAxes {
  public:
    /// \param partitions  of all collectives; equal ones may stand there more than once
    /// \throws ModelError where groups are irregular, differ in size, or need more axes than a mesh has
    /// (four)
    MeshAxes(std::span<const DevicePartition> partitions, std::int64_t devices);

    /// Digits of the device's number, the one that changes fastest first.
    struct Axis {
        std::int64_t stride{1};
        std::int64_t size{1};
        friend bool operator==(const Axis&, const Axis&) = default;
    };
    [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }

    /// By axis, which of a mesh's axes it is. Two axes are the innermost tp and the outermost dp, a third one
    /// between them is cp, a fourth one outside of dp its replicas; a single one is `single`.
    void assign(graph::MeshAxis single);
    void assign(std::vector<graph::MeshAxis> names);

    /// Sizes and order as the program numbers its devices.
    [[nodiscard]] graph::Mesh mesh() const;
    /// Who meets, as axes; none where everybody is alone. \pre the partition was among those it was made from
    [[nodiscard]] graph::AxisSet axes_of(const DevicePartition& partition) const;

  private:
    std::vector<Axis> axes_;
    std::vector<graph::MeshAxis> names_;
};

}  // namespace dse::frontend
