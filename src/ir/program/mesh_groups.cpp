#include "ir/program/mesh_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dse/base/check.hpp"

namespace dse::ir {
namespace {

// A part of an axis, divided at the boundaries of the requested factors.
struct Factor {
    std::uint32_t axis;
    std::int64_t pre_size;
    std::int64_t size;
};

std::vector<Factor> factors_of(const DeviceMesh& mesh, std::span<const AxisRef> axes) {
    std::vector<Factor> result;
    for (std::uint32_t a = 0; a < mesh.axes.size(); ++a) {
        std::vector<std::int64_t> borders{1, mesh.axes[a].size};
        for (const AxisRef& axis : axes) {
            if (axis.axis != a) continue;
            borders.push_back(axis.pre_size);
            borders.push_back(axis.pre_size * axis.size);
        }
        std::sort(borders.begin(), borders.end());
        borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
        for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
            DSE_EXPECT(borders[i] > 0 && borders[i + 1] % borders[i] == 0);
            result.push_back({a, borders[i], borders[i + 1] / borders[i]});
        }
    }
    return result;
}

// Position of a factor in the order of the group's members; none if it distinguishes groups.
std::size_t place(const Factor& factor, std::span<const AxisRef> axes) {
    std::size_t i = 0;
    while (i < axes.size() && (axes[i].axis != factor.axis || factor.pre_size < axes[i].pre_size ||
                               factor.pre_size >= axes[i].pre_size * axes[i].size))
        ++i;
    return i;
}

DeviceGroups renamed(const DeviceGroups& groups, const DeviceMesh& mesh) {
    auto members = groups.members(mesh.device_count());
    for (auto& group : members)
        for (std::int64_t& member : group) member = mesh.devices[static_cast<std::size_t>(member)];
    return DeviceGroups::list(std::move(members));
}

bool is_run(const std::vector<std::vector<std::int64_t>>& groups, std::int64_t stride_in_group,
            std::int64_t stride_of_groups) {
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::size_t i = 0; i < groups[g].size(); ++i)
            if (groups[g][i] != static_cast<std::int64_t>(i) * stride_in_group +
                                    static_cast<std::int64_t>(g) * stride_of_groups)
                return false;
    return true;
}

}  // namespace

DeviceGroups groups_along(const DeviceMesh& mesh, std::span<const AxisRef> axes) {
    const std::vector<Factor> factors = factors_of(mesh, axes);
    std::vector<std::int64_t> tile;
    std::vector<std::int64_t> order;
    for (const Factor& factor : factors) tile.push_back(factor.size);
    for (std::size_t i = 0; i < factors.size(); ++i) order.push_back(static_cast<std::int64_t>(i));
    const auto rank = [&](std::int64_t i) {
        const std::size_t at = place(factors[static_cast<std::size_t>(i)], axes);
        return at == axes.size() ? std::size_t{0} : at + 1;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return rank(a) < rank(b); });
    std::int64_t size = 1;
    for (const AxisRef& axis : axes) size *= axis.size;
    if (tile.empty()) {
        tile = {1};
        order = {0};
    }
    const auto groups =
        DeviceGroups::iota(mesh.device_count() / size, size, std::move(tile), std::move(order));
    return mesh.devices.empty() ? groups : renamed(groups, mesh);
}

DeviceGroups regular_groups(std::vector<std::vector<std::int64_t>> groups) {
    if (groups.empty()) return {};
    const std::size_t size = groups.front().size();
    const bool equal = size > 0 && std::all_of(groups.begin(), groups.end(),
                                               [size](const auto& group) { return group.size() == size; });
    const auto number = static_cast<std::int64_t>(groups.size());
    const auto members = static_cast<std::int64_t>(size);
    if (equal && is_run(groups, 1, members))
        return DeviceGroups::iota(number, members, {number * members}, {});
    if (equal && is_run(groups, number, 1))
        return DeviceGroups::iota(number, members, {members, number}, {1, 0});
    return DeviceGroups::list(std::move(groups));
}

}  // namespace dse::ir
