#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Rows that have no answer for the same reason, up to the numbers in it.
struct CommonReason {
    std::uint64_t rows{0};
    std::string example;  ///< the first of them, in full
};

/// Why rows have no answer, the commonest first. Numbers in a reason differ from point to point, so those of
/// one status that begin alike up to the first digit count together.
/// \param counts  whether rows of a status are looked at
std::vector<CommonReason> common_reasons(const results::Table& table,
                                         const std::function<bool(space::Status)>& counts);

}  // namespace dse::app
