#include "sharding_reader.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"

namespace dse::ir::hlo {
namespace {

constexpr int deepest_sharding = 128;

// Meaning of a trailing dimension of the tiles, which does not divide a dimension of the array.
enum class Rest : std::uint8_t { replicated, manual, unreduced };

using Parts = std::vector<std::vector<AxisRef>>;  // by dimension of the tiles

/// Expresses the tiles' dimensions as parts of one axis over all devices, in the order of the iota. Nothing
/// if a dimension of the tiles does not align with those of the iota.
std::optional<Parts> parts_of_iota(const Sizes& tiles, const IotaTile& iota) {
    struct Factor {
        std::int64_t pre_size;
        std::int64_t size;
    };
    std::vector<Factor> factors;
    std::int64_t pre_size = 1;
    for (const std::int64_t size : iota.tile) {
        factors.push_back({pre_size, size});
        pre_size *= size;
    }
    if (!iota.order.empty()) {
        const std::vector<Factor> given = factors;
        for (std::size_t i = 0; i < factors.size(); ++i)
            factors[i] = given[static_cast<std::size_t>(iota.order[i])];
    }
    Parts result;
    std::size_t at = 0;
    for (std::int64_t left : tiles) {
        std::vector<AxisRef>& axes = result.emplace_back();
        while (left > 1) {
            while (at < factors.size() && factors[at].size == 1) ++at;
            if (at == factors.size()) return std::nullopt;
            Factor& factor = factors[at];
            const std::int64_t taken = std::gcd(left, factor.size);
            if (taken != left && taken != factor.size) return std::nullopt;
            axes.push_back({0, factor.pre_size, taken});
            left /= taken;
            factor.pre_size *= taken;
            factor.size /= taken;
        }
    }
    return result;
}

/// Merges adjacent parts of one axis.
void merge_parts(std::vector<AxisRef>& axes) {
    std::vector<AxisRef> merged;
    for (const AxisRef& axis : axes) {
        if (!merged.empty() && merged.back().axis == axis.axis &&
            merged.back().pre_size * merged.back().size == axis.pre_size)
            merged.back().size *= axis.size;
        else
            merged.push_back(axis);
    }
    axes = std::move(merged);
}

bool is_iota(const Sizes& devices) {
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i] != static_cast<std::int64_t>(i)) return false;
    return true;
}

/// A mesh of its own for the tiles, with one axis per dimension.
DeviceMesh tile_mesh(const Sizes& tiles, Sizes devices) {
    DeviceMesh mesh;
    mesh.name = "tiles";
    mesh.devices = std::move(devices);
    for (std::size_t d = 0; d < tiles.size(); ++d) mesh.axes.push_back({fmt::format("tile{}", d), tiles[d]});
    return mesh;
}

Parts axis_per_tile(const Sizes& tiles) {
    Parts parts(tiles.size());
    for (std::size_t d = 0; d < tiles.size(); ++d)
        if (tiles[d] > 1) parts[d].push_back({static_cast<std::uint32_t>(d), 1, tiles[d]});
    return parts;
}

std::vector<Rest> read_rest(Scanner& scanner) {
    if (scanner.accept_word("last_tile_dim_replicate")) return {Rest::replicated};
    std::vector<Rest> rest;
    if (!scanner.accept_word("last_tile_dims")) return rest;
    scanner.expect("={");
    do {
        const std::string_view word = scanner.word();
        rest.push_back(word == "manual"      ? Rest::manual
                       : word == "unreduced" ? Rest::unreduced
                                             : Rest::replicated);
    } while (scanner.accept(','));
    scanner.expect('}');
    return rest;
}

/// Assigns the leading tiles to the array's dimensions; the trailing ones are `rest`. An array with both
/// manual and partitioned axes counts as partitioned.
void lay(Parts parts, const std::vector<Rest>& rest, Sharding& sharding) {
    const std::size_t dimensions = parts.size() - rest.size();
    bool tiled = false;
    for (std::size_t d = 0; d < dimensions; ++d) {
        merge_parts(parts[d]);
        tiled = tiled || !parts[d].empty();
        sharding.dimensions.push_back({std::move(parts[d]), false, -1});
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const auto& axes = parts[dimensions + i];
        if (rest[i] == Rest::unreduced)
            sharding.unreduced.insert(sharding.unreduced.end(), axes.begin(), axes.end());
        if (rest[i] == Rest::manual && !tiled) sharding.kind = Sharding::Kind::manual;
    }
}

}  // namespace

std::vector<Sharding> ShardingReader::read() {
    std::vector<Sharding> leaves;
    read_leaves(leaves, 0);
    return leaves;
}

void ShardingReader::read_leaves(std::vector<Sharding>& leaves, int depth) {
    if (depth == deepest_sharding) scanner_.refuse("shardings are nested too deeply");
    scanner_.expect('{');
    if (scanner_.peek() == '{') {
        do read_leaves(leaves, depth + 1);
        while (scanner_.accept(','));
    } else if (scanner_.peek() != '}') {
        leaves.push_back(read_leaf());
    }
    scanner_.expect('}');
}

Sharding ShardingReader::read_leaf() {
    Sharding result = scanner_.accept_word("devices") ? read_tiles()
                      : scanner_.accept("mesh[")      ? read_named()
                                                      : read_word();
    // Propagation groups and the origin of shardings are not needed.
    while (scanner_.peek() != '}') {
        if (scanner_.word().empty()) scanner_.refuse_expected("the end of the sharding");
        if (scanner_.accept('=')) (void)scanner_.value();
    }
    return result;
}

Sharding ShardingReader::read_word() {
    scanner_.skip();
    const std::size_t begin = scanner_.position();
    const std::string_view word = scanner_.word();
    Sharding result;
    if (word == "maximal") {
        result.kind = Sharding::Kind::maximal;
        if (scanner_.accept_word("device")) {
            scanner_.expect('=');
            result.device = scanner_.integer();
        }
    } else if (word == "manual") {
        result.kind = Sharding::Kind::manual;
    } else if (word == "unknown") {
        result.kind = Sharding::Kind::unknown;
    } else if (word == "unreduced") {
        result.mesh = line_of(devices_);
        if (devices_ > 1) result.unreduced = {{0, 1, devices_}};
    } else if (word == "replicated") {
        result.mesh = line_of(devices_);
    } else {
        scanner_.refuse(begin, fmt::format("unknown sharding '{}'{}", word,
                                           suggestion(word, {"replicated", "maximal", "manual", "unknown",
                                                             "unreduced", "devices", "mesh"})));
    }
    return result;
}

// Reads the devices after `devices=[…]`: an iota or a list, which is treated as an iota of its length.
IotaTile ShardingReader::read_assignment(const Sizes& tiles, Sizes& list) {
    IotaTile iota;
    if (scanner_.peek() == '<') {
        iota = read_iota_tile(scanner_);
    } else {
        do list.push_back(scanner_.integer());
        while (scanner_.accept(','));
        iota.tile = {static_cast<std::int64_t>(list.size())};
    }
    const std::int64_t needed = product_of(scanner_, tiles);
    if (needed != iota.devices())
        scanner_.refuse(
            fmt::format("the tiles need {} devices, but their list has {}", needed, iota.devices()));
    return iota;
}

Sharding ShardingReader::read_tiles() {
    scanner_.expect('=');
    const Sizes tiles = read_list(scanner_, '[', ']');
    Sizes list;
    const IotaTile iota = read_assignment(tiles, list);
    std::optional<Parts> parts;
    if (list.empty() || is_iota(list)) parts = parts_of_iota(tiles, iota);
    Sharding result;
    if (parts) {
        result.mesh = line_of(iota.devices());
    } else {
        if (list.empty()) list = DeviceGroups::iota(1, iota.devices(), iota.tile, iota.order).members(1)[0];
        result.mesh = mesh(tile_mesh(tiles, std::move(list)));
        parts = axis_per_tile(tiles);
    }
    const std::vector<Rest> rest = read_rest(scanner_);
    if (rest.size() > tiles.size())
        scanner_.refuse("there are more entries of last_tile_dims than dimensions");
    lay(std::move(*parts), rest, result);
    return result;
}

// Reads what follows `mesh[`; the array's dimensions may be omitted if none is divided.
Sharding ShardingReader::read_named() {
    scanner_.move_to(scanner_.position() - std::string_view{"mesh["}.size());
    const DeviceMesh named = read_mesh(scanner_);
    Sharding result;
    result.mesh = mesh(named);
    (void)scanner_.accept(',');
    if (scanner_.accept('[')) {
        while (scanner_.peek() == '{') {
            Sharding::Dimension dimension;
            scanner_.expect('{');
            while (scanner_.peek() != '}') {
                if (scanner_.accept('?'))
                    dimension.open = true;
                else
                    dimension.axes.push_back(read_axis(scanner_, named));
                if (!scanner_.accept(',')) break;
            }
            scanner_.expect('}');
            result.dimensions.push_back(std::move(dimension));
            if (!scanner_.accept(',')) break;
        }
        scanner_.expect(']');
    }
    while (scanner_.accept(',')) {
        const std::string_view word = scanner_.word();
        scanner_.expect('=');
        (void)scanner_.word();  // the reduction, `max` in unreduced=max{'a'}; a sum if omitted
        const std::vector<AxisRef> axes = read_axes(scanner_, named);
        if (word == "replicated") result.replicated = axes;
        if (word == "unreduced") result.unreduced = axes;
        if (word == "manual" && !axes.empty() &&
            std::all_of(result.dimensions.begin(), result.dimensions.end(),
                        [](const Sharding::Dimension& d) { return d.axes.empty(); }))
            result.kind = Sharding::Kind::manual;
    }
    return result;
}

MeshId ShardingReader::mesh(DeviceMesh mesh) {
    devices_ = std::max(devices_, mesh.device_count());
    const auto found = std::find(program_.meshes.begin(), program_.meshes.end(), mesh);
    const auto number = static_cast<std::size_t>(found - program_.meshes.begin());
    if (found == program_.meshes.end()) program_.meshes.push_back(std::move(mesh));
    return MeshId{number};
}

MeshId ShardingReader::line_of(std::int64_t devices) {
    return mesh({"devices", {{"device", devices}}, {}});
}

}  // namespace dse::ir::hlo
