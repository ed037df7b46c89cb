#include "dse/model/network/tier_bytes.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/graph/dispatch.hpp"
#include "dse/model/network/dimension_path.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "dse/model/network/spread.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;

/// Bytes that leave a device along a dimension of `members`, in a group of `group` ranks of which the inner
/// dimensions hold `inside`.
double sent(CollectiveKind kind, double size, double members, double inside, double group) {
    const double others = (members - 1.0) / members;
    switch (kind) {
        case CollectiveKind::all_reduce:
            return 2.0 * others * size / inside;
        case CollectiveKind::all_gather:
        case CollectiveKind::reduce_scatter:
        case CollectiveKind::broadcast:
            return others * size / inside;
        case CollectiveKind::all_to_all:
            return (members - 1.0) * inside / group * size;
        case CollectiveKind::ring_shift:
            // The last member inside sends on to the next position along this dimension; at the last
            // position, to an outer dimension, unless this one is the outermost of the group.
            return (inside * members == group ? 1.0 : others) * size / inside;
    }
    DSE_REQUIRE(false && "a collective without a volume");
    return 0.0;
}

/// The same for an all-to-all that sends a token once to each block of `inside` devices that needs it, from
/// where it is forwarded: of a token's copies, as many pass this dimension as blocks are chosen, by
/// expectation.
double sent_once(const graph::Collective& exchange, double members, double inside, double group) {
    const auto blocks = static_cast<std::int64_t>(group / inside);
    return (members - 1.0) / members * graph::sent_share(exchange.dispatch, blocks) * exchange.size.value();
}

double sent(const graph::Collective& collective, double members, double inside, double group) {
    return collective.kind == CollectiveKind::all_to_all && collective.dispatch.choices > 0.0
               ? sent_once(collective, members, inside, group)
               : sent(collective.kind, collective.size.value(), members, inside, group);
}

}  // namespace

TierBytes bytes_by_tier(const graph::Collective& collective, const graph::Mesh& mesh,
                        const hardware::DimensionList& dimensions) {
    TierBytes bytes{};
    if (dimensions.empty()) return bytes;
    const Spread group = spread(mesh, collective.axes, sizes_of(dimensions).get());
    double all = 1.0;
    for (std::size_t d = 0; d < group.count; ++d) all *= static_cast<double>(group.along[d].members);
    double inside = 1.0;
    for (std::size_t d = 0; d < group.count; ++d) {
        const auto members = static_cast<double>(group.along[d].members);
        if (members > 1.0) bytes[d] = sent(collective, members, inside, all);
        inside *= members;
    }
    return bytes;
}

TierBytes bytes_by_tier(Bytes message, const graph::Mesh& mesh, std::int64_t from, std::int64_t to,
                        const hardware::DimensionList& dimensions) {
    TierBytes most{};
    if (dimensions.empty() || from == to) return most;
    for_stage_pairs(mesh, from, to, sizes_of(dimensions).get(), [&](std::int64_t rank, std::int64_t peer) {
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            if (rank % dimensions[d].size != peer % dimensions[d].size) most[d] = message.value();
            rank /= dimensions[d].size;
            peer /= dimensions[d].size;
        }
    });
    return most;
}

}  // namespace dse::model
