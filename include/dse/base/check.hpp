#pragma once

#include <fmt/format.h>

#include "dse/base/error.hpp"

/// Contracts. DSE_EXPECT: precondition, DSE_ENSURE: postcondition, DSE_ASSERT: invariant; all three are
/// checked in debug builds only and their condition must have no side effect. DSE_REQUIRE is always checked:
/// for contracts whose cost does not matter. User input is never a contract: throw InputError.

namespace dse::detail {
[[noreturn]] void contract_violated(const char* kind, const char* condition, const char* file, int line);
}  // namespace dse::detail

#define DSE_REQUIRE(condition)                                                               \
    do {                                                                                     \
        if (!(condition)) [[unlikely]]                                                       \
            ::dse::detail::contract_violated("requirement", #condition, __FILE__, __LINE__); \
    } while (false)

#ifdef NDEBUG
#define DSE_CONTRACT_(kind, condition)           \
    do {                                         \
        static_cast<void>(sizeof(!(condition))); \
    } while (false)
#else
#define DSE_CONTRACT_(kind, condition)                                              \
    do {                                                                            \
        if (!(condition)) [[unlikely]]                                              \
            ::dse::detail::contract_violated(kind, #condition, __FILE__, __LINE__); \
    } while (false)
#endif

#define DSE_EXPECT(condition) DSE_CONTRACT_("precondition", condition)
#define DSE_ENSURE(condition) DSE_CONTRACT_("postcondition", condition)
#define DSE_ASSERT(condition) DSE_CONTRACT_("invariant", condition)
