#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/base/units.hpp"

namespace dse::app {

/// What a replay says of a rank.
struct ReplayRow {
    Seconds time;
    Seconds compute;
    Seconds exposed;
    std::optional<std::int64_t> ticks{};  ///< `time`, where ASTRA-sim's clock counts
    std::optional<std::int64_t> exposed_ticks{};

    friend bool operator==(const ReplayRow&, const ReplayRow&) = default;
};

/// One object: {time, ranks: [{rank, time, exposed_communication}]}, with ticks where there are any.
void print_replay_json(const std::vector<ReplayRow>& rows);

/// Ranks in a row with the same answer share a line.
void print_replay_table(const std::vector<ReplayRow>& rows);

}  // namespace dse::app
