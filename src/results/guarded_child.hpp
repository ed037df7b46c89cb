#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#if defined(__has_feature)
#define DSE_CLANG_SANITIZES_ADDRESSES __has_feature(address_sanitizer)
#else
#define DSE_CLANG_SANITIZES_ADDRESSES 0
#endif

namespace dse::results {

/// AddressSanitizer reserves more addresses than any limit leaves: under it ChildLimits::memory limits
/// nothing.
#if defined(__SANITIZE_ADDRESS__) || DSE_CLANG_SANITIZES_ADDRESSES
inline constexpr bool memory_is_limited = false;
#else
inline constexpr bool memory_is_limited = true;
#endif

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
