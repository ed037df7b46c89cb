#pragma once

#include <numeric>
#include <random>
#include <vector>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;

inline constexpr std::array astra_kinds{CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                        CollectiveKind::reduce_scatter, CollectiveKind::all_to_all};

/// One dimension of 1 byte a tick and `latency` ticks a link, without any other cost.
inline AstraSystem line_of(DimensionKind kind, std::int64_t npus, Algorithm algorithm, double latency = 0.0) {
    AstraSystem system;
    system.add({kind, npus, 1.0, latency});
    const AstraAlgorithm named{algorithm};
    system.set_algorithms({&named, 1});
    system.endpoint_delay = 0;
    return system;
}

inline std::vector<std::int64_t> everybody(const AstraSystem& system) {
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(system.npus()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// Up to three dimensions of any kind, with algorithms that exist for them.
inline AstraSystem random_system(std::mt19937_64& random, std::size_t most_dimensions) {
    const auto pick = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    AstraSystem system;
    std::array<AstraAlgorithm, AstraSystem::most_dimensions> algorithms;
    const std::size_t count = 1 + static_cast<std::size_t>(pick(static_cast<std::int64_t>(most_dimensions)));
    for (std::size_t d = 0; d < count; ++d) {
        constexpr std::array kinds{DimensionKind::ring, DimensionKind::switched,
                                   DimensionKind::fully_connected};
        const std::int64_t npus = std::int64_t{2} << pick(2);
        const bool odd = pick(3) == 0;
        system.add(AstraDimension::of_file(kinds[static_cast<std::size_t>(pick(3))], odd ? npus + 1 : npus,
                                           static_cast<double>(1 + pick(200)),
                                           static_cast<double>(pick(1000))));
        constexpr std::array choices{Algorithm::ring, Algorithm::direct, Algorithm::halving_doubling};
        algorithms[d].algorithm = choices[static_cast<std::size_t>(pick(odd ? 2 : 3))];
    }
    system.set_algorithms({algorithms.data(), count});
    for (AstraAlgorithm& algorithm : algorithms) {
        if (algorithm.algorithm == Algorithm::halving_doubling) algorithm.algorithm = Algorithm::direct;
    }
    system.set_algorithms(CollectiveKind::all_to_all, {algorithms.data(), count});
    system.splits = 1 + pick(8);
    system.active_chunks = 1 + pick(3);
    system.endpoint_delay = pick(30);
    system.reduction_bandwidth = 1e9 * static_cast<double>(pick(3) * 700);
    system.optimization =
        pick(4) == 0 ? AstraOptimization::baseline : AstraOptimization::local_bandwidth_aware;
    return system;
}

}  // namespace dse::netsim
