#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "dse/results/proof.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Chooses the boxes of a proof of which the engine `event` simulates a point. It simulates every work of
/// every rank, which takes a quarter of a minute for 1,024 ranks with few microbatches, and longer with more.
/// Therefore the boxes with bounds are divided into `most` consecutive runs, and the box with the fewest
/// works is chosen from each.
/// \return indices of the proof's parts
std::set<std::size_t> proof_plays(const study::Sweep& sweep, const results::Proof& proof, std::uint64_t most);

}  // namespace dse::app
