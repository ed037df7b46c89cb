#pragma once

#include <cstdint>

namespace dse::results {

/// Which finished files are read.
enum class Trust : std::uint8_t {
    sealed,    ///< only files whose checksum is valid
    unsealed,  ///< also others, which are read in a separate process and marked
};

}  // namespace dse::results
