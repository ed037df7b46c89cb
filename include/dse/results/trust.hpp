#pragma once

#include <cstdint>

namespace dse::results {

/// What is read of finished files.
enum class Trust : std::uint8_t {
    sealed,    ///< those alone whose checksum holds
    unsealed,  ///< others too: in a process of their own, and marked as such
};

}  // namespace dse::results
