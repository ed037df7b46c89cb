#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/base/units.hpp"

namespace dse::app {

/// Result of a replay for one rank.
struct ReplayRow {
    Seconds time;
    Seconds compute;
    Seconds exposed;
    std::optional<std::int64_t> ticks{};  ///< `time` in ticks, if ASTRA-sim's clock is used
    std::optional<std::int64_t> exposed_ticks{};

    friend bool operator==(const ReplayRow&, const ReplayRow&) = default;
};

/// Prints one object: {time, ranks: [{rank, time, exposed_communication}]}, with ticks if there are any.
void print_replay_json(const std::vector<ReplayRow>& rows);

/// Prints a table in which consecutive ranks with the same result share a line.
void print_replay_table(const std::vector<ReplayRow>& rows);

}  // namespace dse::app
