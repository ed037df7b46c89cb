#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "dse/results/proof.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Which boxes of a proof the engine `event` plays a point of. It plays every work of every rank, which
/// takes a quarter of a minute of 1,024 of them where there are few microbatches, and the longer, the more
/// there are. So boxes with bounds are taken in as many runs as there are to be plays, and of each run the
/// one with the fewest works. \return their places among the proof's parts
std::set<std::size_t> proof_plays(const study::Sweep& sweep, const results::Proof& proof, std::uint64_t most);

}  // namespace dse::app
