#pragma once

#include <cstdint>
#include <string_view>

#include "dse/results/interval_set.hpp"

namespace dse::explore {

/// One of several runs that divide the points of a sweep among them, each with its own results file, such as
/// the tasks of a job array.
struct Shard {
    std::uint64_t index{1};  ///< starting at 1
    std::uint64_t number{1};
};

/// "2/8". \throws InputError
Shard parse_shard(std::string_view text);

/// The indices of [0, size) that belong to other runs. Each run has up to 64 pieces distributed over the
/// space, since neighbouring points take similar times or fail together; the runs' counts differ by at most
/// one piece.
results::IntervalSet others(Shard shard, std::uint64_t size);

}  // namespace dse::explore
