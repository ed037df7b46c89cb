#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dse/base/id.hpp"

namespace dse::ir {

using MeshId = Id<struct MeshTag>;

/// Devices as a grid with named axes: Shardy's `sdy.mesh`, or the tile assignment of a GSPMD string with axes
/// of our own names.
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

/// An axis of a mesh, or a part of one: of an axis of size 8, {pre_size 2, size 2} is the second of its
/// factors 2 × 2 × 2 (Shardy's sub-axis `"x":(2)2`).
struct AxisRef {
    std::uint32_t axis{0};     ///< number in DeviceMesh::axes
    std::int64_t pre_size{1};  ///< product of the factors before it
    std::int64_t size{1};
    friend bool operator==(const AxisRef&, const AxisRef&) = default;
};

/// How an array lies on the devices of a mesh.
struct Sharding {
    enum class Kind : std::uint8_t {
        tiled,    ///< by `dimensions` (replicated where they name no axes)
        maximal,  ///< whole, on `device` only
        manual,   ///< inside a manual computation: the text's shapes are local
        unknown   ///< stated as unknown
    };
    struct Dimension {
        std::vector<AxisRef> axes;  ///< major to minor
        bool open{false};           ///< propagation may add axes
        std::int32_t priority{-1};  ///< Shardy's `p0`; −1: none stated
        friend bool operator==(const Dimension&, const Dimension&) = default;
    };
    Kind kind{Kind::tiled};
    MeshId mesh;
    std::vector<Dimension> dimensions;
    std::vector<AxisRef> replicated;  ///< explicitly: propagation may not use them
    std::vector<AxisRef> unreduced;   ///< the value is a sum that is still to be taken over them
    std::int64_t device{0};
    friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// Parts that axes cut a dimension into. 1 without axes.
std::int64_t parts_of(std::span<const AxisRef> axes);

/// A dimension's size on one device, the last part padded: ⌈size / parts⌉.
/// Source: Shardy, pass convert-global-to-local (uneven parts are padded to the largest)
std::int64_t local_size(std::int64_t size, std::span<const AxisRef> axes);

}  // namespace dse::ir
