#include "dse/graph/parallel_layout.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

/// A schedule lists every task of a stage, so larger values would make it impractically long.
constexpr std::int64_t most_virtual_stages = 4096;
constexpr std::int64_t most_microbatches = std::int64_t{1} << 20;

void require_positive(const char* name, std::int64_t value) {
    if (value < 1) throw ModelError(fmt::format("{} is {}: a degree must be at least 1", name, value));
}

void require_at_most(const char* name, std::int64_t value, std::int64_t most) {
    if (value > most) throw ModelError(fmt::format("{} is {}: must be at most {}", name, value, most));
}

std::int64_t data_degree(const ParallelLayout& layout, std::int64_t devices) {
    // Divide step by step: the product of absurdly large degrees would overflow.
    std::int64_t left = devices;
    std::string degrees;
    bool fits = true;
    for (const auto& [name, degree] : {std::pair{"tp", layout.tp}, {"cp", layout.cp}, {"pp", layout.pp}}) {
        if (degree > 1 || *name != 'c')
            degrees += fmt::format("{}{} {}", degrees.empty() ? "" : " x ", name, degree);
        fits = fits && left % degree == 0;
        left /= degree;
    }
    if (!fits) throw ModelError(fmt::format("{} devices are not divisible by {}", devices, degrees));
    if (layout.dp != 0 && layout.dp != left)
        throw ModelError(fmt::format("{} x dp {} is not {} devices", degrees, layout.dp, devices));
    return left;
}

/// Number of replicas of an expert.
/// \param stage  devices of a pipeline stage within one replica; experts have their own folding of them
std::int64_t expert_data_degree(std::int64_t etp, std::int64_t ep, std::int64_t stage) {
    const bool fits = etp <= stage && ep <= stage / etp;
    if (!fits || stage % (etp * ep) != 0) {
        throw ModelError(
            fmt::format("the {} devices of a pipeline stage are not divisible by etp {} x ep {}{}", stage,
                        etp, ep, etp > 1 && ep > 1 ? " (etp 1: whole experts)" : ""));
    }
    return stage / (etp * ep);
}

/// Number of copies of the sharded states.
std::int64_t replica_degree(std::int64_t shard, std::int64_t dp) {
    if (shard == 0) return 1;
    require_positive("dp_shard", shard);
    if (dp % shard != 0) throw ModelError(fmt::format("dp {} is not divisible by dp_shard {}", dp, shard));
    return dp / shard;
}

}  // namespace

ResolvedLayout resolve(const ParallelLayout& layout, std::int64_t devices, std::int64_t global_batch) {
    require_positive("devices", devices);
    require_positive("tp", layout.tp);
    require_positive("cp", layout.cp);
    require_positive("pp", layout.pp);
    require_positive("ep", layout.ep);
    const std::int64_t etp = layout.etp == 0 ? layout.tp : layout.etp;
    require_positive("etp", etp);
    require_positive("virtual_stages", layout.virtual_stages);
    require_positive("microbatch", layout.microbatch);
    require_positive("global_batch", global_batch);

    ResolvedLayout result;
    const std::int64_t dp = data_degree(layout, devices);
    const std::int64_t replicas = replica_degree(layout.dp_shard, dp);
    result.mesh = Mesh::dense(layout.tp, layout.cp, dp / replicas, layout.pp);
    result.mesh.set_degree(MeshAxis::replica, replicas);
    result.mesh.set_degree(MeshAxis::expert_tensor, etp);
    result.mesh.set_degree(MeshAxis::expert, layout.ep);
    result.mesh.set_degree(MeshAxis::expert_data,
                           expert_data_degree(etp, layout.ep, devices / layout.pp / replicas));
    set_order(layout.rank_order, result.mesh);
    const bool fits = dp <= global_batch && layout.microbatch <= global_batch / dp;
    if (!fits || global_batch % (dp * layout.microbatch) != 0) {
        throw ModelError(fmt::format("a global batch of {} is not divisible by dp {} x microbatch {}",
                                     global_batch, dp, layout.microbatch));
    }
    const std::int64_t microbatches = global_batch / (dp * layout.microbatch);
    require_at_most("virtual_stages", layout.virtual_stages, most_virtual_stages);
    require_at_most("the number of microbatches", microbatches, most_microbatches);
    result.stages = static_cast<std::uint32_t>(layout.pp);
    result.chunks = chunks_of(layout.schedule, layout.virtual_stages);
    result.microbatches = static_cast<std::uint32_t>(microbatches);
    result.microbatch = layout.microbatch;
    return result;
}

}  // namespace dse::graph
