#include "dse/netsim/placed_jobs.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/netsim/flow/fabric.hpp"

namespace dse::netsim {
namespace {

/// Slices of the outermost dimension.
struct Slices {
    std::int64_t size{1};  ///< devices of a slice
    std::int64_t most{0};  ///< slices of the machine; 0: as many as needed
};

Slices slices_of(const hardware::NetworkSpec& network) {
    Slices slices;
    for (const hardware::DimensionSpec& dimension : network.dimensions) {
        slices.size *= std::max<std::int64_t>(1, slices.most);
        slices.most = dimension.size;
    }
    return slices;
}

PlacedJobs pack(std::span<const std::int64_t> sizes, std::int64_t block) {
    PlacedJobs placed;
    for (const std::int64_t size : sizes) {
        const std::int64_t left = (block - placed.machine % block) % block;
        if (size > left) placed.machine += left;
        auto& devices = placed.devices.emplace_back(static_cast<std::size_t>(size));
        std::iota(devices.begin(), devices.end(), placed.machine);
        placed.machine += size;
    }
    return placed;
}

PlacedJobs alternate(std::span<const std::int64_t> sizes, std::int64_t block) {
    PlacedJobs placed{std::vector<std::vector<std::int64_t>>(sizes.size()), 0};
    for (bool missing = true; missing;) {
        missing = false;
        for (std::size_t job = 0; job < sizes.size(); ++job) {
            auto& devices = placed.devices[job];
            const std::int64_t count = std::min(block, sizes[job] - std::ssize(devices));
            if (count == 0) continue;
            for (std::int64_t i = 0; i < count; ++i) devices.push_back(placed.machine + i);
            placed.machine += block;
            missing = missing || std::ssize(devices) < sizes[job];
        }
    }
    return placed;
}

/// In blocks of consecutive devices, on a machine of whole blocks.
PlacedJobs place(std::span<const std::int64_t> sizes, std::int64_t block, hardware::Placement placement) {
    PlacedJobs placed =
        placement == hardware::Placement::packed ? pack(sizes, block) : alternate(sizes, block);
    placed.machine = (placed.machine + block - 1) / block * block;
    return placed;
}

PlacedJobs place_by_domains(const hardware::ScaleUpSpec& scale_up, std::span<const std::int64_t> sizes,
                            hardware::Placement placement) {
    std::int64_t block = scale_up.occupied(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
    PlacedJobs placed = place(sizes, block, placement);
    // Jobs that together fit into a domain may each have got one: then these are segments.
    if (scale_up.segment > 0 && placed.machine > scale_up.domain) {
        block = scale_up.occupied(placed.machine);
        placed = place(sizes, block, placement);
    }
    // Whoever numbers the devices of the machine must find the same blocks.
    while (scale_up.occupied(placed.machine) != block) placed.machine += block;
    return placed;
}

/// One behind the other, or device by device in turn: a list of links has no domains.
PlacedJobs place_on_wires(const hardware::NetworkSpec& network, std::span<const std::int64_t> sizes,
                          hardware::Placement placement) {
    PlacedJobs placed = place(sizes, 1, placement);
    const std::int64_t wired = hardware::wired_devices(network.topology.wires);
    if (placed.machine > wired)
        throw ModelError(
            fmt::format("these jobs take {} devices, and topology.wires has {}", placed.machine, wired));
    placed.machine = wired;
    return placed;
}

}  // namespace

PlacedJobs place_jobs(const hardware::NetworkSpec& network, std::span<const std::int64_t> sizes,
                      hardware::Placement placement) {
    DSE_EXPECT(!sizes.empty() && std::ranges::min(sizes) >= 1);
    const hardware::TopologyKind kind = flow::topology_kind(network);
    if (kind == hardware::TopologyKind::wires) return place_on_wires(network, sizes, placement);
    if (kind != hardware::TopologyKind::dimensions)
        return place_by_domains(network.scale_up, sizes, placement);
    const Slices slices = slices_of(network);
    PlacedJobs placed = place(sizes, slices.size, placement);
    if (slices.most == 0) return placed;
    if (placed.machine > slices.size * slices.most) {
        throw ModelError(fmt::format("these jobs take {} devices of a machine of {}", placed.machine,
                                     slices.size * slices.most));
    }
    placed.machine = slices.size * slices.most;
    return placed;
}

}  // namespace dse::netsim
