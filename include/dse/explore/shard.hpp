#pragma once

#include <cstdint>
#include <string_view>

#include "dse/results/interval_set.hpp"

namespace dse::explore {

/// One of several runs that share the points of a sweep, each with a results file of its own: the tasks of a
/// job array.
struct Shard {
    std::uint64_t index{1};  ///< from 1 on
    std::uint64_t number{1};
};

/// "2/8". \throws InputError
Shard parse_shard(std::string_view text);

/// The indices of [0, size) that are other runs'. Each has up to 64 pieces from all over the space, since
/// neighbours take about as long, or fail alike; their counts differ by a piece at most.
results::IntervalSet others(Shard shard, std::uint64_t size);

}  // namespace dse::explore
