#pragma once

#include <cstdint>

#include "dse/graph/serving_engine.hpp"
#include "eval/serve/step_player.hpp"

namespace dse::eval {

/// What a server's memory holds.
struct CacheRoom {
    std::int64_t pages{0};  ///< of the cache, a replica
    double page_bytes{0};   ///< of a page, on the device that has most of it
    sim::MemoryPeak peak;   ///< with all of them
};

/// The pages that fit beside the parameters and what the largest steps need: a prompt of the token budget,
/// and a decode step of all sequences.
/// \returns false where not even parameters and a page fit; the evaluation says so
/// \throws ModelError where there is no room for a page beside the steps
bool find_room(StepPlayer& player, Evaluation& evaluation, CacheRoom& room);

}  // namespace dse::eval
