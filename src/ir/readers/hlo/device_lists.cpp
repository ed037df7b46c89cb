#include "device_lists.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "ir/program/mesh_groups.hpp"

namespace dse::ir::hlo {
namespace {

// More devices than any machine has; keeps a wrong product from requesting excessive memory.
constexpr std::int64_t most_devices = std::int64_t{1} << 22U;

std::string_view axis_name(Scanner& scanner) {
    scanner.expect('\'');
    const std::size_t begin = scanner.position();
    (void)scanner.word();
    const std::string_view name = scanner.since(begin);
    scanner.expect('\'');
    return name;
}

/// `[2,4]T(1,0)`: all devices in order as an array with permuted dimensions.
IotaTile read_tile(Scanner& scanner) {
    IotaTile result;
    result.tile = read_list(scanner, '[', ']');
    (void)product_of(scanner, result.tile);
    if (!scanner.accept("T(")) return result;
    do result.order.push_back(scanner.integer());
    while (scanner.accept(','));
    scanner.expect(')');
    Sizes sorted = result.order;
    std::sort(sorted.begin(), sorted.end());
    Sizes identity(result.tile.size());
    std::iota(identity.begin(), identity.end(), std::int64_t{0});
    if (sorted != identity)
        scanner.refuse("the permutation must name each dimension of the list exactly once");
    return result;
}

/// Device numbers as a list or an array: `3,2,1,0` or `[2,4]T(1,0)`, up to the closing bracket.
Sizes read_device_numbers(Scanner& scanner) {
    scanner.expect('(');
    if (scanner.peek() != '[') {
        Sizes result;
        do result.push_back(scanner.integer());
        while (scanner.accept(','));
        scanner.expect(')');
        return result;
    }
    IotaTile iota = read_tile(scanner);
    scanner.expect(')');
    const std::int64_t devices = iota.devices();
    return DeviceGroups::iota(1, devices, std::move(iota.tile), std::move(iota.order)).members(devices)[0];
}

/// `device_ids=(3,2,1,0)` or `device_ids=([2,4]T(1,0))`, inside the mesh's brackets or after them.
/// \return whether it came next
bool read_device_ids(Scanner& scanner, DeviceMesh& mesh) {
    if (!scanner.accept_word("device_ids")) return false;
    scanner.expect('=');
    mesh.devices = scanner.peek() == '[' ? read_list(scanner, '[', ']') : read_device_numbers(scanner);
    return true;
}

DeviceGroups read_group_lists(Scanner& scanner) {
    std::vector<std::vector<std::int64_t>> groups;
    scanner.expect('{');
    if (scanner.accept('}')) return {};
    do groups.push_back(scanner.sizes());
    while (scanner.accept(','));
    scanner.expect('}');
    if (groups.size() == 1 && groups[0].empty()) return {};
    return DeviceGroups::list(std::move(groups));
}

DeviceGroups read_iota_groups(Scanner& scanner) {
    const Sizes groups = read_list(scanner, '[', ']');
    const std::int64_t members = product_of(scanner, groups);
    IotaTile iota = read_iota_tile(scanner);
    if (groups.size() != 2) scanner.refuse("expected the number of groups and their size, as in [2,4]<=[8]");
    if (members != iota.devices())
        scanner.refuse(
            fmt::format("the groups have {} devices, but their list has {}", members, iota.devices()));
    return DeviceGroups::iota(groups[0], groups[1], std::move(iota.tile), std::move(iota.order));
}

// The parts of an axis must be consecutive factors of its size.
void check_parts(Scanner& scanner, const DeviceMesh& mesh, std::vector<AxisRef> axes) {
    std::sort(axes.begin(), axes.end(), [](const AxisRef& a, const AxisRef& b) {
        return std::pair{a.axis, a.pre_size} < std::pair{b.axis, b.pre_size};
    });
    std::int64_t done = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (i == 0 || axes[i].axis != axes[i - 1].axis) done = 1;
        if (axes[i].pre_size % done != 0) scanner.refuse("parts of an axis overlap");
        done = axes[i].pre_size * axes[i].size;
        if (mesh.axes[axes[i].axis].size % done != 0) scanner.refuse("parts of an axis do not divide it");
    }
}

}  // namespace

std::int64_t IotaTile::devices() const {
    return std::accumulate(tile.begin(), tile.end(), std::int64_t{1}, std::multiplies<>{});
}

std::int64_t product_of(Scanner& scanner, const Sizes& sizes) {
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) {
        if (size <= 0) scanner.refuse(fmt::format("the number of devices cannot be {}", size));
        if (size > most_devices / product) scanner.refuse("too many devices");
        product *= size;
    }
    return product;
}

Sizes read_list(Scanner& scanner, char open, char close) {
    Sizes result;
    scanner.expect(open);
    if (scanner.accept(close)) return result;
    do result.push_back(scanner.integer());
    while (scanner.accept(','));
    scanner.expect(close);
    return result;
}

IotaTile read_iota_tile(Scanner& scanner) {
    scanner.expect("<=");
    return read_tile(scanner);
}

DeviceGroups read_device_groups(Scanner& scanner) {
    const char next = scanner.peek();
    if (next == '{') return read_group_lists(scanner);
    if (next == '[') return read_iota_groups(scanner);
    const DeviceMesh mesh = read_mesh(scanner);
    const std::vector<AxisRef> axes = read_axes(scanner, mesh);
    check_parts(scanner, mesh, axes);
    return groups_along(mesh, axes);
}

std::vector<std::pair<std::int64_t, std::int64_t>> read_device_pairs(Scanner& scanner) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    scanner.expect('{');
    if (scanner.accept('}')) return pairs;
    do {
        const Sizes pair = scanner.sizes();
        if (pair.size() != 2) scanner.refuse("expected a pair of a source and a target");
        pairs.emplace_back(pair[0], pair[1]);
    } while (scanner.accept(','));
    scanner.expect('}');
    return pairs;
}

DeviceMesh read_mesh(Scanner& scanner) {
    DeviceMesh mesh;
    if (!scanner.accept_word("mesh")) scanner.refuse_expected("the groups of devices");
    scanner.expect('[');
    Sizes sizes;
    if (!scanner.accept(']')) {
        do {
            if (read_device_ids(scanner, mesh)) break;
            DeviceMesh::Axis axis;
            axis.name = axis_name(scanner);
            scanner.expect('=');
            axis.size = scanner.integer();
            sizes.push_back(axis.size);
            mesh.axes.push_back(std::move(axis));
        } while (scanner.accept(','));
        scanner.expect(']');
    }
    const std::size_t end = scanner.position();
    if (scanner.accept(',') && !read_device_ids(scanner, mesh)) scanner.move_to(end);
    const std::int64_t devices = product_of(scanner, sizes);
    if (!mesh.devices.empty() && static_cast<std::int64_t>(mesh.devices.size()) != devices)
        scanner.refuse(
            fmt::format("the mesh has {} devices, but its list has {}", devices, mesh.devices.size()));
    return mesh;
}

AxisRef read_axis(Scanner& scanner, const DeviceMesh& mesh) {
    const std::size_t begin = scanner.position();
    const std::string_view name = axis_name(scanner);
    AxisRef result;
    for (const DeviceMesh::Axis& axis : mesh.axes) {
        if (axis.name == name) break;
        ++result.axis;
    }
    if (result.axis == mesh.axes.size()) {
        std::vector<std::string> known;
        for (const DeviceMesh::Axis& axis : mesh.axes) known.push_back(axis.name);
        scanner.refuse(begin, fmt::format("the mesh has no axis '{}'{}", name, suggestion(name, known)));
    }
    result.size = mesh.axes[result.axis].size;
    if (!scanner.accept(":(")) return result;
    result.pre_size = scanner.integer();
    scanner.expect(')');
    result.size = scanner.integer();
    const std::int64_t whole = mesh.axes[result.axis].size;
    if (result.pre_size <= 0 || result.size <= 0 || whole / result.pre_size % result.size != 0)
        scanner.refuse(begin, fmt::format("not a sub-axis of axis '{}'", name));
    return result;
}

std::vector<AxisRef> read_axes(Scanner& scanner, const DeviceMesh& mesh) {
    std::vector<AxisRef> axes;
    scanner.expect('{');
    if (scanner.accept('}')) return axes;
    do axes.push_back(read_axis(scanner, mesh));
    while (scanner.accept(','));
    scanner.expect('}');
    return axes;
}

}  // namespace dse::ir::hlo
