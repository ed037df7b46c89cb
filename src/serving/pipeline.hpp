#pragma once

#include <cstddef>
#include <vector>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// The stages of a pipeline, each of which works on one batch at a time, first come first served. Batches
/// have schedulers of their own, and may be as many as there are stages.
class Pipeline {
  public:
    /// \param stages  >= 1
    explicit Pipeline(std::size_t stages) : free_(stages) {}

    /// Sends a batch through all stages. Starts never decrease from one call to the next.
    /// \param alone  time that the batch takes if nothing is ahead of it: each stage has an equal part
    /// \returns time from `start` until it has left the last stage
    Ticks pass(Ticks start, Ticks alone);

  private:
    std::vector<Ticks> free_;  ///< of each stage, the end of its last batch
};

}  // namespace dse::serving
