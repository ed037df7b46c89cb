#include "eval/serve/state_room.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/gibibyte.hpp"

namespace dse::eval {
namespace {

/// States that draft tokens add to that of a request. SGLang and TensorRT-LLM keep one of the token that is
/// certain, too.
double further_states(const graph::ServingEngine& engine) {
    if (engine.speculative == graph::Speculation::none) return 0.0;
    const auto drafted = static_cast<double>(engine.speculative_tokens);
    return engine.scheduler == graph::Scheduler::vllm ? drafted : drafted + 1.0;
}

/// SGLang's default of --mamba-full-memory-ratio, as a share of both.
constexpr double state_share = 0.9 / 1.9;

/// SGLang's MAMBA_CACHE_SIZE_MAX_RUNNING_REQUESTS_RATIO.
constexpr double states_for_a_running_one = 3.0;

StateRoom divided(double state, double rest, const graph::ServingEngine& engine) {
    const double further = further_states(engine);
    const double each = engine.prefix_cache ? states_for_a_running_one : 1.0;
    const auto most = static_cast<double>(engine.max_sequences);
    double states = std::floor(std::max(0.0, rest * state_share) / (state * (1.0 + further / each)));
    if (!engine.prefix_cache && most * state * (1.0 + further) < rest) states = most;
    const double running = std::min(std::floor(states / each), most);
    return {0, state * (states + further * running), static_cast<std::int64_t>(running)};
}

}  // namespace

StateRoom state_room(double state, double page, double rest, const graph::ServingEngine& engine) {
    const double of_a_request = state * (1.0 + further_states(engine));
    const auto most = static_cast<double>(engine.max_sequences);
    StateRoom room{0, 0.0, engine.max_sequences};
    switch (engine.scheduler) {
        case graph::Scheduler::vllm:
            room.pages = static_cast<std::int64_t>(std::ceil(of_a_request / page));
            break;
        case graph::Scheduler::tensorrt:
            room.bytes = most * of_a_request;
            break;
        case graph::Scheduler::sglang:
            room = divided(state, rest, engine);
            break;
    }
    const double least = room.pages > 0 ? static_cast<double>(room.pages) * page : room.bytes;
    if (room.sequences > 0 && least <= rest) return room;
    throw ModelError(
        fmt::format("the states of recurrent layers have no room: {:.4g} GiB a request, and parameters and "
                    "steps leave {:.4g} GiB for max_sequences ({}) and the cache",
                    of_a_request / gibibyte, std::max(0.0, rest) / gibibyte, engine.max_sequences));
}

}  // namespace dse::eval
