#include "ir/partition/permutation.hpp"

#include <cstddef>
#include <map>

namespace dse::ir::partition {
namespace {

// Position of a device along axes, as a single number, major to minor.
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

std::vector<std::pair<std::int64_t, std::int64_t>> permutation(const DeviceMesh& mesh, const Layout& from,
                                                               const Layout& to) {
    // Several devices may have the same part: the i-th device that needs it gets it from the i-th one that
    // has it.
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
