#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "dse/base/sanitizers.hpp"

namespace dse::results {

/// AddressSanitizer reserves more addresses than any limit leaves: under it ChildLimits::memory limits
/// nothing.
inline constexpr bool memory_is_limited = !sanitizes_addresses;

struct ChildLimits {
    std::chrono::seconds time{60};                  ///< of its core, and of the clock twice as much
    std::uint64_t memory{std::uint64_t{4} << 30U};  ///< address space, bytes
};

/// How work in a child process ended; empty where all went well.
/// What the work throws comes back as its words, a signal, or a limit that was reached, in words of this
/// function. \param work  does something that this process could come to grief over; what it changes in
/// memory is lost
std::string run_guarded(const std::function<void()>& work, const ChildLimits& limits);

}  // namespace dse::results
