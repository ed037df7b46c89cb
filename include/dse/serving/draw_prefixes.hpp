#pragma once

#include <cstdint>

#include "dse/graph/traffic.hpp"
#include "dse/serving/request.hpp"

namespace dse::serving {

/// Draws which of its class's prefixes each request begins with, makes its prompt longer by it, and names the
/// whole pages of the prefix as pieces. Draws nothing that other draws depend on. Does nothing if no requests
/// have prefixes.
/// \param page_tokens  of the caches that the requests meet
/// \throws ModelError if the pieces of all requests are too many to keep
void draw_prefixes(const graph::Traffic& traffic, std::uint64_t seed, std::int64_t page_tokens,
                   Requests& requests);

}  // namespace dse::serving
