#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dse/base/id.hpp"

namespace dse::ir {

using MeshId = Id<struct MeshTag>;

/// A grid of devices with named axes: Shardy's `sdy.mesh`, or the tile assignment of a GSPMD string with
/// generated axis names.
struct DeviceMesh {
    struct Axis {
        std::string name;
        std::int64_t size{1};
        friend bool operator==(const Axis&, const Axis&) = default;
    };
    std::string name;
    std::vector<Axis> axes;
    /// The devices in row-major order of the axes; empty: 0, 1, 2, …
    std::vector<std::int64_t> devices;

    [[nodiscard]] std::int64_t device_count() const;
    friend bool operator==(const DeviceMesh&, const DeviceMesh&) = default;
};

/// An axis of a mesh or a part of one: for an axis of size 8, {pre_size 2, size 2} is the second of its
/// factors 2 × 2 × 2 (Shardy's sub-axis `"x":(2)2`).
struct AxisRef {
    std::uint32_t axis{0};     ///< index in DeviceMesh::axes
    std::int64_t pre_size{1};  ///< product of the factors before it
    std::int64_t size{1};
    friend bool operator==(const AxisRef&, const AxisRef&) = default;
};

/// Layout of an array on the devices of a mesh.
struct Sharding {
    enum class Kind : std::uint8_t {
        tiled,    ///< by `dimensions` (replicated if they have no axes)
        maximal,  ///< whole, on `device` only
        manual,   ///< inside a manual computation: shapes in the text are local
        unknown   ///< stated as unknown
    };
    struct Dimension {
        std::vector<AxisRef> axes;  ///< major to minor
        bool open{false};           ///< propagation may add axes
        std::int32_t priority{-1};  ///< Shardy's `p0`; −1: not stated
        friend bool operator==(const Dimension&, const Dimension&) = default;
    };
    Kind kind{Kind::tiled};
    MeshId mesh;
    std::vector<Dimension> dimensions;
    std::vector<AxisRef> replicated;  ///< explicitly: propagation may not use them
    std::vector<AxisRef> unreduced;   ///< the value is a partial sum, still to be reduced over these axes
    std::int64_t device{0};
    friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// Number of parts into which axes divide a dimension; 1 without axes.
std::int64_t parts_of(std::span<const AxisRef> axes);

/// Size of a dimension on one device, with padding: ⌈size / parts⌉.
/// Source: Shardy, pass convert-global-to-local (uneven parts are padded to the largest)
std::int64_t local_size(std::int64_t size, std::span<const AxisRef> axes);

}  // namespace dse::ir
