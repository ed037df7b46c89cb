#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/graph/mesh.hpp"
#include "frontend/lowering/device_partition.hpp"

namespace dse::frontend {

/// The devices of a program as a grid that is derived from the groups of its collectives: groups
/// [2,4]<=[8] and [4,2]<=[2,4]T(1,0) are rows and columns of a 2 × 4 grid.
///
/// A group is regular if its members are sums of multiples 0, s, 2s, … of one or more strides s. The strides
/// of all groups decompose device numbers into digits, and each digit is an axis.
class MeshAxes {
  public:
    /// \param partitions  those of all collectives; may contain duplicates
    /// \throws ModelError if groups are irregular, differ in size, or need more axes than a mesh has (four)
    MeshAxes(std::span<const DevicePartition> partitions, std::int64_t devices);

    /// A digit of the device number; the fastest-varying digit is the first axis.
    struct Axis {
        std::int64_t stride{1};
        std::int64_t size{1};
        friend bool operator==(const Axis&, const Axis&) = default;
    };
    [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }

    /// Assigns mesh axes. Two axes are tp (innermost) and dp (outermost); a third one between them is cp, and
    /// a fourth one outside dp is `replica`. A single axis is `single`.
    void assign(graph::MeshAxis single);
    void assign(std::vector<graph::MeshAxis> names);

    /// The mesh, with sizes and order according to the program's device numbers.
    [[nodiscard]] graph::Mesh mesh() const;
    /// The axes that vary within the groups; none for groups of one.
    /// \pre the partition was passed to the constructor
    [[nodiscard]] graph::AxisSet axes_of(const DevicePartition& partition) const;

  private:
    std::vector<Axis> axes_;
    std::vector<graph::MeshAxis> names_;
};

}  // namespace dse::frontend
