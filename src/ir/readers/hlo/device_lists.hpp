#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dse/ir/program/device_groups.hpp"
#include "dse/ir/program/sharding.hpp"
#include "scanner.hpp"

namespace dse::ir::hlo {

/// XLA's one-line form of a device list: 0 … n − 1 in row-major order over `tile`, its dimensions permuted by
/// `order` (empty: identity). `[…]<=[2,4]T(1,0)`
struct IotaTile {
    Sizes tile;
    Sizes order;
    [[nodiscard]] std::int64_t devices() const;
};

/// Reads `<=[2,4]T(1,0)`. \throws InputError if the order is not a permutation of the tile's dimensions
IotaTile read_iota_tile(Scanner& scanner);

/// Product of positive sizes. \throws InputError if one is not positive, or the product is too large
std::int64_t product_of(Scanner& scanner, const Sizes& sizes);

/// `[2,4]`, or with other brackets. \pre an opening bracket comes next, else InputError
Sizes read_list(Scanner& scanner, char open, char close);

/// `replica_groups=`: `{{0,1},{2,3}}`, `{}`, `[2,4]<=[8]`, or `mesh['a'=2,'b'=2] {'b'}`.
DeviceGroups read_device_groups(Scanner& scanner);

/// `source_target_pairs=`: `{{0,1},{1,0}}`.
std::vector<std::pair<std::int64_t, std::int64_t>> read_device_pairs(Scanner& scanner);

/// `mesh['x'=2,'y'=4]`, `mesh['x'=2, device_ids=(1,0)]`. \pre the word `mesh` comes next, else InputError
DeviceMesh read_mesh(Scanner& scanner);

/// `{'x', 'y':(1)2}`: axes of the mesh, or parts of them.
std::vector<AxisRef> read_axes(Scanner& scanner, const DeviceMesh& mesh);

/// `'y'`, `'y':(1)2`
AxisRef read_axis(Scanner& scanner, const DeviceMesh& mesh);

}  // namespace dse::ir::hlo
