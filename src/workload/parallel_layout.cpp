#include "dse/workload/parallel_layout.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::workload {
namespace {

/// A schedule lists every task of a stage; beyond these it is no list that anybody wants.
constexpr std::int64_t most_virtual_stages = 4096;
constexpr std::int64_t most_microbatches = std::int64_t{1} << 20;

void require_positive(const char* name, std::int64_t value) {
    if (value < 1) throw ModelError(fmt::format("{} is {}: a degree is at least 1", name, value));
}

void require_at_most(const char* name, std::int64_t value, std::int64_t most) {
    if (value > most)
        throw ModelError(fmt::format("{} is {}: at most {} can be scheduled", name, value, most));
}

std::int64_t data_degree(const ParallelLayout& layout, std::int64_t devices) {
    // Division first: a product of two degrees that are out of all proportion would wrap round.
    const bool fits = layout.tp <= devices && layout.pp <= devices / layout.tp;
    const std::int64_t model_parallel = fits ? layout.tp * layout.pp : 0;
    if (!fits || devices % model_parallel != 0) {
        throw ModelError(
            fmt::format("tp {} x pp {} does not divide {} devices", layout.tp, layout.pp, devices));
    }
    const std::int64_t left = devices / model_parallel;
    if (layout.dp != 0 && layout.dp != left) {
        throw ModelError(
            fmt::format("tp {} x pp {} x dp {} is not {} devices", layout.tp, layout.pp, layout.dp, devices));
    }
    return left;
}

}  // namespace

ResolvedLayout resolve(const ParallelLayout& layout, std::int64_t devices, std::int64_t global_batch) {
    require_positive("devices", devices);
    require_positive("tp", layout.tp);
    require_positive("pp", layout.pp);
    require_positive("virtual_stages", layout.virtual_stages);
    require_positive("microbatch", layout.microbatch);
    require_positive("global_batch", global_batch);

    ResolvedLayout result;
    const std::int64_t dp = data_degree(layout, devices);
    result.mesh.size[static_cast<std::size_t>(MeshAxis::tensor)] = layout.tp;
    result.mesh.size[static_cast<std::size_t>(MeshAxis::data)] = dp;
    result.mesh.size[static_cast<std::size_t>(MeshAxis::pipeline)] = layout.pp;
    const bool fits = dp <= global_batch && layout.microbatch <= global_batch / dp;
    if (!fits || global_batch % (dp * layout.microbatch) != 0) {
        throw ModelError(fmt::format("dp {} x microbatch {} does not divide a global batch of {}", dp,
                                     layout.microbatch, global_batch));
    }
    const std::int64_t microbatches = global_batch / (dp * layout.microbatch);
    require_at_most("virtual_stages", layout.virtual_stages, most_virtual_stages);
    require_at_most("the number of microbatches", microbatches, most_microbatches);
    result.stages = static_cast<std::uint32_t>(layout.pp);
    result.chunks = static_cast<std::uint32_t>(layout.virtual_stages);
    result.microbatches = static_cast<std::uint32_t>(microbatches);
    return result;
}

}  // namespace dse::workload
