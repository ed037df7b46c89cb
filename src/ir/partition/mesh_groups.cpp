#include "ir/partition/mesh_groups.hpp"

#include <cstddef>
#include <map>

namespace dse::ir::partition {
namespace {

/// The mesh with its axes cut where `axes` cut them.
struct Pieces {
    Axes all;  ///< row-major, as the mesh's axes
    std::vector<std::int64_t> tile;

    Pieces(const DeviceMesh& mesh, const Axes& axes) {
        for (std::uint32_t a = 0; a < mesh.axes.size(); ++a) {
            if (mesh.axes[a].size == 1) continue;
            Axes rest{{a, 1, mesh.axes[a].size}};
            for (const AxisRef& axis : axes) {
                Axes cut;
                for (const AxisRef& piece : rest) {
                    const Axes before = split_at(piece, axis);
                    cut.insert(cut.end(), before.begin(), before.end());
                }
                rest = cut;
            }
            all.insert(all.end(), rest.begin(), rest.end());
        }
        for (const AxisRef& piece : all) tile.push_back(piece.size);
    }

    static Axes split_at(const AxisRef& piece, const AxisRef& axis) {
        Axes result{piece};
        if (axis.axis != piece.axis) return result;
        for (const std::int64_t border : {axis.pre_size, axis.pre_size * axis.size}) {
            AxisRef& last = result.back();
            if (border <= last.pre_size || border >= last.pre_size * last.size) continue;
            const AxisRef tail{last.axis, border, last.pre_size * last.size / border};
            last.size = border / last.pre_size;
            result.push_back(tail);
        }
        return result;
    }
};

// The place of a device along axes, as one number, major to minor.
std::int64_t place(const DeviceMesh& mesh, std::int64_t number, const Axes& axes) {
    std::vector<std::int64_t> coordinates(mesh.axes.size());
    for (std::size_t a = mesh.axes.size(); a-- > 0;) {
        coordinates[a] = number % mesh.axes[a].size;
        number /= mesh.axes[a].size;
    }
    std::int64_t result = 0;
    for (const AxisRef& axis : axes) {
        const std::int64_t minor = mesh.axes[axis.axis].size / (axis.pre_size * axis.size);
        result = result * axis.size + coordinates[axis.axis] / minor % axis.size;
    }
    return result;
}

std::int64_t device_at(const DeviceMesh& mesh, std::int64_t number) {
    return mesh.devices.empty() ? number : mesh.devices[static_cast<std::size_t>(number)];
}

std::vector<std::int64_t> part_of(const DeviceMesh& mesh, std::int64_t number, const Layout& layout) {
    std::vector<std::int64_t> part;
    part.reserve(layout.size());
    for (const Axes& axes : layout) part.push_back(place(mesh, number, axes));
    return part;
}

}  // namespace

DeviceGroups groups_along(const DeviceMesh& mesh, const Axes& axes) {
    const Pieces pieces{mesh, axes};
    std::vector<std::int64_t> order;
    for (std::size_t p = 0; p < pieces.all.size(); ++p)
        if (!overlap(axes, pieces.all[p])) order.push_back(static_cast<std::int64_t>(p));
    for (const AxisRef& axis : axes)
        for (std::size_t p = 0; p < pieces.all.size(); ++p)
            if (overlap(axis, pieces.all[p])) order.push_back(static_cast<std::int64_t>(p));
    const std::int64_t size = product(axes);
    const DeviceGroups regular =
        DeviceGroups::iota(mesh.device_count() / size, size, pieces.tile, std::move(order));
    if (mesh.devices.empty()) return regular;
    auto members = regular.members(mesh.device_count());
    for (auto& group : members)
        for (std::int64_t& member : group) member = device_at(mesh, member);
    return DeviceGroups::list(std::move(members));
}

std::vector<std::pair<std::int64_t, std::int64_t>> permutation(const DeviceMesh& mesh, const Layout& from,
                                                               const Layout& to) {
    // Several devices may have the same part: the i-th that wants it gets it from the i-th that has it.
    std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> holders;
    std::map<std::vector<std::int64_t>, std::size_t> served;
    for (std::int64_t d = 0; d < mesh.device_count(); ++d) holders[part_of(mesh, d, from)].push_back(d);
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t target = 0; target < mesh.device_count(); ++target) {
        const auto part = part_of(mesh, target, to);
        const auto& sources = holders[part];
        if (sources.empty()) continue;
        const std::int64_t source = sources[served[part]++ % sources.size()];
        if (source != target) pairs.emplace_back(device_at(mesh, source), device_at(mesh, target));
    }
    return pairs;
}

}  // namespace dse::ir::partition
