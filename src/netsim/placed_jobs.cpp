#include "dse/netsim/placed_jobs.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/netsim/flow/fabric.hpp"

namespace dse::netsim {
namespace {

/// Equal blocks of consecutive devices.
struct Blocks {
    std::int64_t size{1};  ///< devices of a block
    std::int64_t most{0};  ///< blocks of the machine; 0: as many as needed
};

/// \param apart  whether each job has domains of its own, of which a scheduler may assign segments, however
///               few devices the jobs have
Blocks blocks_of(const hardware::NetworkSpec& network, std::int64_t devices, bool apart) {
    if (flow::topology_kind(network) != hardware::TopologyKind::dimensions) {
        const hardware::ScaleUpSpec& domains = network.scale_up;
        const bool has_segments = apart && domains.segment > 0;
        return {domains.occupied(has_segments ? std::max(devices, domains.domain + 1) : devices), 0};
    }
    Blocks slices;
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

}  // namespace

PlacedJobs place_jobs(const hardware::NetworkSpec& network, std::span<const std::int64_t> sizes,
                      hardware::Placement placement) {
    DSE_EXPECT(!sizes.empty() && std::ranges::min(sizes) >= 1);
    const std::int64_t all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    const bool packed = placement == hardware::Placement::packed;
    const Blocks blocks = blocks_of(network, all, !packed && sizes.size() > 1);
    PlacedJobs placed = packed ? pack(sizes, blocks.size) : alternate(sizes, blocks.size);
    // Whole blocks; whoever numbers the devices of the machine must find the same ones.
    placed.machine = (placed.machine + blocks.size - 1) / blocks.size * blocks.size;
    if (blocks.most == 0) {
        while (network.scale_up.occupied(placed.machine) != blocks.size) placed.machine += blocks.size;
        return placed;
    }
    if (placed.machine > blocks.size * blocks.most) {
        throw ModelError(fmt::format("these jobs take {} devices of a machine of {}", placed.machine,
                                     blocks.size * blocks.most));
    }
    placed.machine = blocks.size * blocks.most;
    return placed;
}

}  // namespace dse::netsim
