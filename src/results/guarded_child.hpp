#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "dse/base/sanitizers.hpp"

namespace dse::results {

/// AddressSanitizer reserves more address space than any limit allows: with it, ChildLimits::memory has no
/// effect.
inline constexpr bool memory_is_limited = !sanitizes_addresses;

struct ChildLimits {
    std::chrono::seconds time{60};  ///< CPU time; the limit of wall-clock time is twice as long
    std::uint64_t memory{std::uint64_t{4} << 30U};  ///< address space, bytes
};

/// Runs work in a child process. Returns an empty string on success; else the message of what it threw, or a
/// description of the signal or the limit that ended it.
/// \param work  may crash; its changes in memory are lost
std::string run_guarded(const std::function<void()>& work, const ChildLimits& limits);

}  // namespace dse::results
