#pragma once

#include <cstdint>

#include "dse/graph/serving_engine.hpp"
#include "eval/serve/step_player.hpp"

namespace dse::eval {

/// The cache that fits into a server's memory.
struct CacheRoom {
    std::int64_t pages{0};        ///< number of cache pages per replica
    double page_bytes{0};         ///< size of a page on the device with the largest part of it
    sim::MemoryPeak peak;         ///< memory peak with all pages
    std::int64_t sequences{0};    ///< that may run on a replica, whose states fit
    std::int64_t state_pages{0};  ///< pages that each running request holds for its states
    double state_bytes{0};        ///< states of a request on the device with the largest part of them
};

/// Finds the number of pages that fit in addition to the parameters and the memory of the largest steps: a
/// prompt as large as the token budget, and a decode step of all sequences.
/// \returns false if not even the parameters and one page fit; the evaluation then has a shortage
/// \throws ModelError if there is no room for a page beside the steps
bool find_room(StepPlayer& player, Evaluation& evaluation, CacheRoom& room);

}  // namespace dse::eval
