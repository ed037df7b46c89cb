#include "eval/serve/cache_room.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "eval/serve/state_room.hpp"

namespace dse::eval {
namespace {

constexpr auto cache_kind = static_cast<std::size_t>(graph::MemoryKind::kv_cache);
constexpr auto state_kind = static_cast<std::size_t>(graph::MemoryKind::recurrent_state);

std::vector<StageNeed> needs_of(const Job& job, Stages& stages) {
    stages.server.needs.read(stages.build(job));
    const auto needs = stages.server.needs.stages();
    return {needs.begin(), needs.end()};
}

/// Maximum memory of each stage in addition to the cache, one page of its cache, and the states of a request.
std::vector<StageNeed> worst_needs(StepPlayer& player) {
    const graph::WorkloadSpec& workload = player.scenario().workload;
    std::vector<StageNeed> worst = needs_of(player.decode_job(1, workload.serving.kv_block), player.stages());
    const std::int64_t unit = player.prompt_unit();
    const std::int64_t tokens = (workload.engine.token_budget + unit - 1) / unit * unit;
    const std::int64_t sequences =
        std::max<std::int64_t>(1, workload.engine.max_sequences / player.parts()) * player.parts();
    const auto keep_larger = [&](const std::vector<StageNeed>& needs) {
        for (std::size_t i = 0; i < worst.size(); ++i) {
            if (needs[i].passing_total <= worst[i].passing_total) continue;
            worst[i].passing_total = needs[i].passing_total;
            worst[i].passing = needs[i].passing;
        }
    };
    keep_larger(needs_of(player.prompt_job(tokens), player.stages()));
    keep_larger(needs_of(player.decode_job(sequences, workload.serving.kv_block), player.stages()));
    if (workload.traffic.adapters == 0) return worst;
    // Places are allocated when the engine starts.
    const double places = static_cast<double>(workload.engine.max_loras) * player.adapter_cost().memory;
    for (StageNeed& need : worst) {
        need.resident[static_cast<std::size_t>(graph::MemoryKind::parameters)] += places;
        need.resident_total += places;
    }
    return worst;
}

/// Bytes of a device that the cache gets: what parameters and steps leave of the server's share of memory, or
/// a share of what they leave. Allocator overhead may leave less than either.
/// \param fixed  bytes of parameters and of the largest steps
double cache_room(double memory, double fixed, const graph::WorkloadSpec& workload) {
    const graph::ServingEngine& engine = workload.engine;
    const double allocated = memory / (1.0 + workload.stack.allocator_overhead);
    if (engine.cache_share > 0.0) return engine.cache_share * (allocated - fixed);
    return std::min(engine.memory_share * memory, allocated) - fixed;
}

double smallest_memory(const hardware::SystemSpec& system) {
    double bytes = system.cluster.device.memory.capacity.value();
    for (const hardware::DeviceClassSpec& other : system.device_classes)
        bytes = std::min(bytes, other.device.memory.capacity.value());
    return bytes;
}

/// Puts what is set apart for states in place of those of a request, and adapts the room to it.
void set_states_apart(std::vector<StageNeed>& needs, double memory, const graph::WorkloadSpec& workload,
                      CacheRoom& room) {
    room.sequences = workload.engine.max_sequences;
    for (StageNeed& need : needs) {
        const double state = need.resident[state_kind];
        const double page = need.resident[cache_kind];
        if (state == 0.0 || page == 0.0) continue;
        const double fixed = need.resident_total - page - state + need.passing_total;
        const StateRoom own = state_room(state, page, cache_room(memory, fixed, workload), workload.engine);
        need.resident[state_kind] = own.bytes;
        need.resident_total += own.bytes - state;
        room.state_pages = std::max(room.state_pages, own.pages);
        room.state_bytes = std::max(room.state_bytes, state);
        room.sequences = std::min(room.sequences, own.sequences);
    }
}

/// \param memory  of a device
std::int64_t pages_that_fit(const std::vector<StageNeed>& needs, double memory,
                            const graph::WorkloadSpec& workload) {
    double pages = std::numeric_limits<double>::infinity();
    for (const StageNeed& need : needs) {
        const double page = need.resident[cache_kind];
        const double fixed = need.resident_total - page + need.passing_total;
        if (page > 0.0) pages = std::min(pages, std::floor(cache_room(memory, fixed, workload) / page));
    }
    if (std::isinf(pages)) throw ModelError("mode serving: the model keeps no cache of keys and values");
    return static_cast<std::int64_t>(std::max(0.0, pages));
}

/// Bytes of each device's host that keep caches, and the adapters of all requests.
double host_memory(StepPlayer& player) {
    const graph::WorkloadSpec& workload = player.scenario().workload;
    const double caches = workload.engine.host_cache.value();
    if (workload.traffic.adapters == 0) return caches;
    return caches + static_cast<double>(workload.traffic.adapters) * player.adapter_cost().memory;
}

/// Memory peak of the fullest stage with this number of pages.
sim::MemoryPeak peak_with(std::vector<StageNeed> needs, std::int64_t pages) {
    for (StageNeed& need : needs) {
        const double more = need.resident[cache_kind] * static_cast<double>(pages - 1);
        need.resident[cache_kind] += more;
        need.resident_total += more;
    }
    return serving_peak(needs, {});
}

}  // namespace

bool find_room(StepPlayer& player, Evaluation& evaluation, CacheRoom& room) {
    const graph::WorkloadSpec& workload = player.scenario().workload;
    const Job smallest = player.decode_job(1, workload.serving.kv_block);
    evaluation.graph = &player.stages().build(smallest);
    if (!Fit::residents(smallest, *evaluation.graph, evaluation)) return false;
    std::vector<StageNeed> needs = worst_needs(player);
    const double memory = smallest_memory(player.scenario().system);
    set_states_apart(needs, memory, workload, room);
    const std::int64_t fit = pages_that_fit(needs, memory, workload);
    room.pages = workload.engine.cache_pages > 0 ? workload.engine.cache_pages : fit;
    for (const StageNeed& need : needs)
        room.page_bytes = std::max(room.page_bytes, need.resident[cache_kind]);
    room.peak = peak_with(needs, std::max<std::int64_t>(1, room.pages));
    room.peak.host = host_memory(player);
    evaluation.memory = room.peak;
    if (room.pages > 0 && room.pages <= fit) return true;
    throw ModelError(fmt::format("the cache has room for {} pages beside parameters and steps of {} tokens{}",
                                 fit, workload.engine.token_budget,
                                 fit > 0 ? fmt::format(", not for {}", room.pages)
                                         : " (a smaller token_budget or a wider tp leaves more)"));
}

}  // namespace dse::eval
