#include "dse/graph/workload_spec.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

void require_inference_layout(const WorkloadSpec& workload) {
    const auto mode = choice_names(workload.mode)[static_cast<std::size_t>(workload.mode)];
    if (workload.layout.virtual_stages != 1) {
        throw ModelError(fmt::format("virtual_stages {} with mode {}: a forward pass has one chunk per stage",
                                     workload.layout.virtual_stages, mode));
    }
    if (workload.mode == Mode::decode && workload.layout.cp > 1) {
        throw ModelError(
            fmt::format("cp {} with mode decode: caches are not split along the context "
                        "(use tp, or dp)",
                        workload.layout.cp));
    }
}

}  // namespace

ResolvedLayout resolve(const WorkloadSpec& workload, std::int64_t devices) {
    if (!is_inference(workload.mode)) {
        ResolvedLayout result = resolve(workload.layout, devices, workload.global_batch);
        result.queues = workload.stack.queues;
        return result;
    }
    require_inference_layout(workload);
    require_valid(workload.serving);
    ParallelLayout layout = workload.layout;
    layout.microbatch = 1;
    layout.dp_shard = 0;  // without optimizer states there is nothing to shard
    layout.schedule = ScheduleKind::one_f_one_b;
    ResolvedLayout result = resolve(layout, devices, workload.global_batch);
    const std::int64_t batch = result.microbatches;
    const std::int64_t wanted = workload.serving.pipeline_batches;
    const std::int64_t parts = wanted > 0 ? wanted : std::min(layout.pp, batch);
    if (batch % parts != 0) {
        throw ModelError(fmt::format(
            "a replica's batch of {} is not divisible into {} parts for the pipeline", batch, parts));
    }
    result.queues = workload.stack.queues;
    result.microbatch = batch / parts;
    result.microbatches = static_cast<std::uint32_t>(parts);
    if (workload.mode == Mode::decode && result.stages > 1) result.steps = 2 * decode_steps;
    return result;
}

}  // namespace dse::graph
