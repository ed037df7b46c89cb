#include "dse/netsim/astra/system.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/model/network/dimension_path.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;

struct Name {
    std::string_view text;
    AstraAlgorithm algorithm;
};

constexpr std::array names{
    Name{"ring", {Algorithm::ring, 0, false}},
    Name{"oneRing", {Algorithm::ring, 0, true}},
    Name{"direct", {Algorithm::direct, 0, false}},
    Name{"oneDirect", {Algorithm::direct, 0, true}},
    Name{"halvingDoubling", {Algorithm::halving_doubling, 0, false}},
    Name{"oneHalvingDoubling", {Algorithm::halving_doubling, 0, true}},
    Name{"doubleBinaryTree", {Algorithm::double_binary_tree, 0, false}},
};

std::size_t index_of(CollectiveKind kind) {
    switch (kind) {
        case CollectiveKind::all_reduce:
        case CollectiveKind::all_gather:
        case CollectiveKind::reduce_scatter:
        case CollectiveKind::all_to_all:
            return static_cast<std::size_t>(kind);
        case CollectiveKind::broadcast:
        case CollectiveKind::ring_shift:
            break;
    }
    throw ModelError(fmt::format("ASTRA-sim does not play a {}", graph::name(kind)));
}

}  // namespace

AstraAlgorithm parse_astra_algorithm(std::string_view name) {
    const std::string_view stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    std::vector<std::string> known;
    for (const Name& candidate : names) {
        known.emplace_back(candidate.text);
        if (candidate.text != stem) continue;
        AstraAlgorithm found = candidate.algorithm;
        if (stem.size() == name.size()) return found;
        std::from_chars(name.data() + stem.size(), name.data() + name.size(), found.window);
        if (found.algorithm == Algorithm::direct && found.window >= 1) return found;
    }
    throw InputError(
        fmt::format("unknown collective implementation '{}'{}", name, suggestion(std::string{name}, known)));
}

AstraDimension AstraDimension::of_file(DimensionKind kind, std::int64_t npus, double gigabytes_per_second,
                                       double nanoseconds) {
    return {kind, npus, gigabytes_per_second * 1073741824.0 / 1e9, nanoseconds};
}

void AstraSystem::add(const AstraDimension& dimension) {
    DSE_EXPECT(dimension_count < most_dimensions);
    if (dimension.kind == DimensionKind::mesh) {
        throw ModelError("ASTRA-sim knows no mesh (of rings, switches and full connections it does)");
    }
    all_dimensions[dimension_count++] = dimension;
}

const AstraSystem::Algorithms& AstraSystem::algorithms_of(CollectiveKind kind) const {
    return algorithms[index_of(kind)];
}

void AstraSystem::set_algorithms(CollectiveKind kind, std::span<const AstraAlgorithm> per_dimension) {
    DSE_EXPECT(per_dimension.size() <= most_dimensions);
    Algorithms& target = algorithms[index_of(kind)];
    std::ranges::copy(per_dimension, target.all.begin());
    target.count = per_dimension.size();
}

void AstraSystem::set_algorithms(std::span<const AstraAlgorithm> per_dimension) {
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                      CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
        set_algorithms(kind, per_dimension);
    }
}

std::int64_t AstraSystem::npus() const {
    std::int64_t product = 1;
    for (const AstraDimension& dimension : dimensions()) product *= dimension.npus;
    return product;
}

Ticks whole_ticks(double ticks) {
    constexpr double longest = 1LL << 60U;
    if (!(ticks <= longest))
        throw ModelError(
            fmt::format("ASTRA-sim's ticks do not reach so far: something takes {:g} of them", ticks));
    return static_cast<Ticks>(ticks);
}

Ticks AstraSystem::delay(const AstraDimension& dimension, std::int64_t hops, std::int64_t bytes) {
    const double transfer = static_cast<double>(bytes) / dimension.bytes_per_tick;
    return whole_ticks(static_cast<double>(hops) * dimension.latency + transfer);
}

Ticks AstraSystem::reduction(std::int64_t bytes) const {
    if (reduction_bandwidth == 0.0) return 0;
    // The ticks of each of the three memory passes are truncated.
    return 3 * whole_ticks(static_cast<double>(bytes) / reduction_bandwidth * 1e9);
}

std::int64_t AstraSystem::hops(const AstraDimension& dimension, std::int64_t from, std::int64_t to) {
    return model::links_between(dimension.kind, dimension.npus, from, to);
}

AstraHops AstraSystem::way(std::int64_t from, std::int64_t to) const {
    for (std::size_t d = 0; d < dimension_count; ++d) {
        const AstraDimension& dimension = all_dimensions[d];
        const std::int64_t a = from % dimension.npus;
        const std::int64_t b = to % dimension.npus;
        if (a != b) return {d, hops(dimension, a, b)};
        from /= dimension.npus;
        to /= dimension.npus;
    }
    return {};
}

Ticks AstraSystem::delay(std::int64_t from, std::int64_t to, std::int64_t bytes) const {
    const AstraHops hops = way(from, to);
    return hops.links == 0 ? 0 : delay(all_dimensions[hops.dimension], hops.links, bytes);
}

}  // namespace dse::netsim
