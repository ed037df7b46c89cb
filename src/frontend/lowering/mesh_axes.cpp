#include "frontend/lowering/mesh_axes.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using Axis = MeshAxes::Axis;
using Group = std::vector<std::int64_t>;

/// Axes of attention's folding except the pipeline, innermost first.
constexpr std::array usual{MeshAxis::tensor, MeshAxis::context, MeshAxis::data, MeshAxis::replica};

[[noreturn]] void refuse(const Group& group, std::string_view why) {
    constexpr std::size_t shown = 8;
    const std::span<const std::int64_t> begin{group.data(), std::min(group.size(), shown)};
    throw ModelError(fmt::format("the devices {}{} {}: no rows of a grid", fmt::join(begin, ","),
                                 group.size() > shown ? ",…" : "", why));
}

/// The strides whose multiples sum up to the members. \param group  ascending, starting at 0
std::vector<Axis> strides_of(const Group& group) {
    std::vector<Axis> result;
    for (std::size_t known = 1; known < group.size();) {
        const std::int64_t stride = group[known];
        std::size_t size = 1;
        while (size * known < group.size() && group[size * known] == stride * static_cast<std::int64_t>(size))
            ++size;
        if (group.size() % (known * size) != 0) refuse(group, "meet");
        for (std::size_t i = known; i < known * size; ++i) {
            if (group[i] != group[i % known] + stride * static_cast<std::int64_t>(i / known))
                refuse(group, "meet");
        }
        result.push_back({stride, static_cast<std::int64_t>(size)});
        known *= size;
    }
    return result;
}

/// The group of device 0, ascending. \throws ModelError if groups differ in size
Group first_group(const DevicePartition& partition) {
    const auto with_zero = std::find_if(partition.begin(), partition.end(), [](const Group& group) {
        return std::find(group.begin(), group.end(), 0) != group.end();
    });
    DSE_EXPECT(with_zero != partition.end());
    Group first = *with_zero;
    std::sort(first.begin(), first.end());
    for (const Group& group : partition) {
        if (group.size() != first.size())
            refuse(group, fmt::format("meet, and of other groups {} do", first.size()));
    }
    return first;
}

/// Decomposes device numbers into digits.
std::vector<Axis> digits(std::span<const DevicePartition> partitions, std::int64_t devices) {
    std::set<std::int64_t> cuts{1, devices};
    for (const DevicePartition& partition : partitions) {
        for (const Axis& axis : strides_of(first_group(partition))) {
            cuts.insert(axis.stride);
            cuts.insert(axis.stride * axis.size);
        }
    }
    std::vector<Axis> axes;
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
        const std::int64_t next = *std::next(cut);
        if (next % *cut != 0)
            throw ModelError(fmt::format(
                "groups with neighbours {} and {} devices apart: no rows of one grid", *cut, next));
        axes.push_back({*cut, next / *cut});
    }
    return axes;
}

/// By axis, whether members of the partition's groups differ in it.
/// \throws ModelError if the groups are not rows of the grid
std::vector<char> varying(const DevicePartition& partition, const std::vector<Axis>& axes) {
    const Group first = first_group(partition);
    std::vector<char> varies;
    varies.reserve(axes.size());
    for (const Axis& axis : axes)
        varies.push_back(std::binary_search(first.begin(), first.end(), axis.stride) ? 1 : 0);
    const auto fixed_digits = [&](std::int64_t device) {
        std::int64_t number = 0;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (varies[i] == 0) number += device / axes[i].stride % axes[i].size * axes[i].stride;
        }
        return number;
    };
    std::set<std::int64_t> seen;
    for (const Group& group : partition) {
        const std::int64_t number = fixed_digits(group.front());
        const bool regular = std::all_of(group.begin(), group.end(),
                                         [&](std::int64_t device) { return fixed_digits(device) == number; });
        if (!regular || !seen.insert(number).second) refuse(group, "meet");
    }
    return varies;
}

}  // namespace

MeshAxes::MeshAxes(std::span<const DevicePartition> partitions, std::int64_t devices)
    : axes_{digits(partitions, devices)} {
    if (axes_.size() > usual.size())
        throw ModelError(fmt::format("its collectives need a mesh of {} axes, and {} can be told apart",
                                     axes_.size(), usual.size()));
    for (const DevicePartition& partition : partitions) varying(partition, axes_);
    assign(MeshAxis::tensor);
}

void MeshAxes::assign(MeshAxis single) {
    names_.assign(usual.begin(), usual.begin() + static_cast<std::ptrdiff_t>(axes_.size()));
    if (axes_.size() == 1) names_ = {single};
    if (axes_.size() == 2) names_ = {MeshAxis::tensor, MeshAxis::data};
}

void MeshAxes::assign(std::vector<MeshAxis> names) {
    DSE_EXPECT(names.size() == axes_.size());
    names_ = std::move(names);
}

graph::Mesh MeshAxes::mesh() const {
    graph::Mesh mesh;
    std::vector<MeshAxis> order = names_;
    for (std::size_t i = 0; i < axes_.size(); ++i) mesh.set_degree(names_[i], axes_[i].size);
    // Both foldings must have the same number of ranks.
    std::int64_t inside = 1;
    for (std::size_t i = 0; i < axes_.size(); ++i)
        inside *= names_[i] == MeshAxis::replica ? 1 : axes_[i].size;
    mesh.set_degree(MeshAxis::expert_data, inside);
    for (const MeshAxis axis : graph::Mesh{}.order) {
        if (std::find(order.begin(), order.end(), axis) == order.end()) order.push_back(axis);
    }
    std::copy(order.begin(), order.end(), mesh.order.begin());
    return mesh;
}

AxisSet MeshAxes::axes_of(const DevicePartition& partition) const {
    const std::vector<char> varies = varying(partition, axes_);
    AxisSet set;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        if (varies[i] != 0) set = set | names_[i];
    }
    return set;
}

}  // namespace dse::frontend
