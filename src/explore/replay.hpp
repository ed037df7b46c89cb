#pragma once

#include <filesystem>

#include "dse/results/interval_set.hpp"
#include "explore/search_source.hpp"

namespace dse::explore {

/// What is on disk of the settled ids of a campaign: shards and finished file.
/// \pre there is a row
Replay read_replay(const std::filesystem::path& file, const results::IntervalSet& settled);

}  // namespace dse::explore
