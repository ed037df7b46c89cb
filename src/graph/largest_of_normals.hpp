#pragma once

#include <cstdint>

namespace dse::graph {

/// E[max] of n independent standard normal variables; 0 for n = 1. The result for the last n is kept, by
/// thread.
double largest_of_normals(std::int64_t n);

}  // namespace dse::graph
