#include "dse/model/network/multi_dim.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/model/network/by_pattern.hpp"
#include "dse/model/network/dimension_path.hpp"
#include "dse/model/network/job_dimensions.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::DimensionList;
using hardware::DimensionOrder;

/// One dimension that a group spans, with the cost of a collective along it.
struct Stage {
    double members{1.0};
    Seconds latency;
    double seconds_per_byte{0.0};
    double busy{0.0};  ///< seconds
};

class Stages {
  public:
    void add(const Stage& stage) { all_[count_++] = stage; }
    [[nodiscard]] std::span<Stage> get() { return {all_.data(), count_}; }

    /// Adds the time of each dimension's part of `size`, in the current order.
    void work(double size, bool divides) {
        for (Stage& stage : get()) {
            stage.busy += stage.seconds_per_byte * size;
            if (divides) size /= stage.members;
        }
    }

    /// Time of a transfer whose chunks are pipelined over the dimensions.
    [[nodiscard]] double transfer(double chunks) {
        double sum = 0.0;
        for (const Stage& stage : get()) sum += stage.busy;
        return longest() + (sum - longest()) / chunks;
    }

    [[nodiscard]] double longest() {
        double longest = 0.0;
        for (const Stage& stage : get()) longest = std::max(longest, stage.busy);
        return longest;
    }

    /// Sorts by load, least loaded first; stable.
    void sort_by_load() {
        for (std::size_t i = 1; i < count_; ++i) {
            for (std::size_t j = i; j > 0 && all_[j].busy < all_[j - 1].busy; --j) {
                std::swap(all_[j], all_[j - 1]);
            }
        }
    }

    void rest() {
        for (Stage& stage : get()) stage.busy = 0.0;
    }

  private:
    std::array<Stage, DimensionList::capacity> all_;
    std::size_t count_{0};
};

/// Whether a dimension reduces the size for the next one: the vector has been scattered, or not been gathered
/// yet.
bool divides(CollectiveKind kind) {
    return kind == CollectiveKind::all_reduce || kind == CollectiveKind::all_gather ||
           kind == CollectiveKind::reduce_scatter;
}

/// Cost of the dimension's algorithm, or of reduction in its switch if the library is free to choose.
DimensionCost best_cost(CollectiveKind kind, const hardware::DimensionSpec& dimension,
                        const Spread::Along& along) {
    DimensionCost cost = dimension_cost(kind, dimension, {along.members, along.stride}, dimension.algorithm);
    const bool reduces = kind == CollectiveKind::all_reduce && dimension.reduction.serves(along.members) &&
                         dimension.algorithm == hardware::Algorithm::automatic;
    if (!reduces) return cost;
    const DimensionCost in_switch = switch_reduction_cost(dimension);
    cost.latency = std::min(cost.latency, in_switch.latency);
    cost.seconds_per_byte = std::min(cost.seconds_per_byte, in_switch.seconds_per_byte);
    return cost;
}

/// Each chunk takes the dimensions in order of increasing load.
double balanced_transfer(Stages stages, CollectiveKind kind, double size, std::int64_t chunks) {
    stages.rest();
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        stages.sort_by_load();
        stages.work(size / static_cast<double>(chunks), divides(kind));
    }
    return stages.transfer(static_cast<double>(chunks));
}

/// A message passes one dimension after the other as a stream, so the slowest one decides. The sender's
/// neighbours send over the same distance at the same time, so each link of a ring carries as many messages
/// as a message passes links.
Seconds message_between(Bytes size, const DimensionList& dimensions, std::int64_t from, std::int64_t to) {
    Seconds latency;
    Seconds transfer;
    for (const hardware::DimensionSpec& dimension : dimensions) {
        const std::int64_t a = from % dimension.size;
        const std::int64_t b = to % dimension.size;
        from /= dimension.size;
        to /= dimension.size;
        if (a == b) continue;
        const auto links = static_cast<double>(links_between(dimension.kind, dimension.size, a, b));
        const bool line = dimension.kind == hardware::DimensionKind::ring ||
                          dimension.kind == hardware::DimensionKind::mesh;
        latency += dimension.link.latency * links;
        transfer = std::max(transfer, size * (line ? links : 1.0) / dimension.link.sustained());
    }
    return latency + transfer;
}

[[noreturn]] void refuse(std::int64_t members) {
    throw ModelError(
        fmt::format("a group of {} ranks lies unevenly on the dimensions of the network (choose degrees that "
                    "divide them)",
                    members));
}

}  // namespace

MultiDim::MultiDim(const hardware::NetworkSpec& network)
    : NetworkModel{{.knows_algorithms = true}}, network_{network}, blend_{network.collective.sharpness} {}

Seconds MultiDim::time(const Communication& what) const {
    return by_pattern(
        what, [&](CollectiveKind kind, const AxisGroups& groups) { return over(kind, what.size, groups); },
        [&](const StagePairs& pairs) { return message(what.size, pairs); },
        [](const RankList& list) -> Seconds { refuse_irregular("multi_dim", list); });
}

Seconds MultiDim::over(CollectiveKind kind, Bytes size, const AxisGroups& groups) const {
    const std::int64_t members = groups.mesh->degree(groups.axes);
    if (members == 1 || size == Bytes{}) return Seconds{};
    const DimensionList dimensions = job_dimensions(network_, groups.mesh->ranks());
    const Spread group = spread(*groups.mesh, groups.axes, sizes_of(dimensions).get());
    if (!group.even) refuse(members);
    return collective(kind, size, dimensions, group);
}

Seconds MultiDim::collective(CollectiveKind kind, Bytes size, const DimensionList& dimensions,
                             const Spread& group) const {
    DSE_EXPECT(size >= Bytes{});
    const hardware::CollectiveSpec& library = network_.collective;
    Stages stages;
    Seconds latency;
    bool outermost_is_tree = false;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const Spread::Along& along = group.along[d];
        if (along.members == 1) continue;
        if (outermost_is_tree) {
            throw ModelError(
                "double_binary_tree scatters nothing (it can only serve the outermost dimension)");
        }
        outermost_is_tree = dimensions[d].algorithm == hardware::Algorithm::double_binary_tree;
        const DimensionCost cost = best_cost(kind, dimensions[d], along);
        stages.add({static_cast<double>(along.members), cost.latency, cost.seconds_per_byte});
        latency += cost.latency;
    }
    if (stages.get().empty() || size == Bytes{}) return Seconds{};
    stages.work(size.value(), divides(kind));
    if (kind == CollectiveKind::ring_shift) {
        // Its messages pass different dimensions at the same time.
        return library.message_launch + latency + Seconds{stages.longest()};
    }
    double transfer = stages.transfer(static_cast<double>(library.chunks));
    if (library.dimension_order == DimensionOrder::balanced && !outermost_is_tree) {
        transfer = std::min(transfer, balanced_transfer(stages, kind, size.value(), library.chunks));
    }
    return Seconds{blend_((library.launch + latency).value(), transfer)};
}

Seconds MultiDim::message(Bytes size, const StagePairs& pairs) const {
    if (pairs.from == pairs.to || size == Bytes{}) return Seconds{};
    const DimensionList dimensions = job_dimensions(network_, pairs.mesh->ranks());
    Seconds slowest;
    for_stage_pairs(*pairs.mesh, pairs.from, pairs.to, sizes_of(dimensions).get(),
                    [&](std::int64_t rank, std::int64_t peer) {
                        slowest = std::max(slowest, message_between(size, dimensions, rank, peer));
                    });
    return network_.collective.message_launch + slowest;
}

}  // namespace dse::model
