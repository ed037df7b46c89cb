#pragma once

#include <cstdint>

#include "dse/graph/serving_engine.hpp"

namespace dse::eval {

/// What a device keeps of recurrent layers (Mamba-2, Gated DeltaNet), by the rules of the engine: each
/// running request has a state, and one more for each draft token.
///
/// - vLLM has one pool: a state takes pages of it, which vLLM makes as large as a layer's state
///   (MambaSpec, v1/kv_cache_interface.py; page_size_padded).
/// - TensorRT-LLM allocates states of as many requests as may run when it starts (MambaCacheManager,
///   _torch/pyexecutor/mamba_cache_manager.py: max_batch_size · pp_size).
/// - SGLang divides what parameters leave, 0.9 to 1, between states and cache (mamba_full_memory_ratio). A
///   third of the states belong to running requests, the others to its prefix cache. Without that, it has
///   states for as many requests as may run; where these do not fit, it is assumed to divide as well. Only
///   running requests have states of draft tokens (_handle_max_mamba_cache and _resolve_max_num_reqs,
///   model_executor).
struct StateRoom {
    std::int64_t pages{0};      ///< of the cache, for each running request
    double bytes{0};            ///< apart from the cache
    std::int64_t sequences{0};  ///< that may run
};

/// \param state  bytes of a request's states, > 0
/// \param page   bytes of a page of the cache
/// \param rest   bytes that states and cache share
/// \throws ModelError if there is no room for the states of a single request
StateRoom state_room(double state, double page, double rest, const graph::ServingEngine& engine);

}  // namespace dse::eval
