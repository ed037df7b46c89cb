#pragma once

#include <cstdint>

#include "dse/study/scenario.hpp"
#include "eval/serve/cache_room.hpp"

namespace dse::eval {

/// Host memory that keeps what the caches of a server's devices forget.
struct HostRoom {
    std::int64_t pages{0};  ///< that the host memory of each device has room for; 0: none
    double copy_time{0};    ///< s, to copy the cache of a token to the devices, all at the same time
};

/// \param room  of the devices' caches
/// \throws ModelError if the host's memory is too small, or nothing is known of the way from there
HostRoom host_room(const study::Scenario& scenario, const CacheRoom& room);

}  // namespace dse::eval
