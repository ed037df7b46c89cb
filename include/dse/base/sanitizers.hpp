#pragma once

// GCC defines a macro for each sanitizer, clang provides a feature check.
#if defined(__has_feature)
#define DSE_HAS_FEATURE(name) __has_feature(name)
#else
#define DSE_HAS_FEATURE(name) 0
#endif

namespace dse {

#if defined(__SANITIZE_ADDRESS__) || DSE_HAS_FEATURE(address_sanitizer)
inline constexpr bool sanitizes_addresses = true;
#else
inline constexpr bool sanitizes_addresses = false;
#endif

#if defined(__SANITIZE_THREAD__) || DSE_HAS_FEATURE(thread_sanitizer)
inline constexpr bool sanitizes_threads = true;
#else
inline constexpr bool sanitizes_threads = false;
#endif

}  // namespace dse

#undef DSE_HAS_FEATURE
