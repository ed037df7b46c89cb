#pragma once

#include <cstddef>
#include <functional>

namespace dse::results {

/// Calls `work` with 0 to count - 1, each once, in any order, on as many cores as this process may use.
/// \param work  may be called by several threads at once; its first exception is rethrown here
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace dse::results
