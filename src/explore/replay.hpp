#pragma once

#include <filesystem>

#include "dse/results/interval_set.hpp"
#include "explore/search_source.hpp"

namespace dse::explore {

/// The records on disk of a campaign's settled ids: shards and finished file.
/// \pre there is at least one row
Replay read_replay(const std::filesystem::path& file, const results::IntervalSet& settled);

}  // namespace dse::explore
