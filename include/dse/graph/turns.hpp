#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::graph {

/// Merges two regions into one that interleaves their work, so that the communication of one runs while the
/// other computes.
///
/// Bodies are cut after each communication that one of their later steps waits for, and the pieces are issued
/// alternately, starting with the second body. Sequences of bodies are paired one by one; the rest of the
/// longer sequence follows alone. The order within each of the two is unchanged, and so are its values.
/// Source: DeepSeek-AI 2024 (arXiv 2412.19437), figure 4, where a backward pass starts with a communication
/// that is hidden by the attention of the forward pass.
class Turns {
  public:
    /// Whether a node is a communication. Called before works have their values.
    using Communicates = std::function<bool(const Item&)>;

    /// \param regions  the regions to merge, to which new ones are appended; must outlive this object
    Turns(std::vector<Region>& regions, Communicates communicates)
        : regions_{regions}, communicates_{std::move(communicates)} {}

    /// The region for two tasks (ChunkProgram::overlapped).
    /// \param forward   region of a forward: one port
    /// \param backward  region of a whole backward: one output
    /// \param program   program of the stage that has both; receives the counts of new repeats
    RegionId of_tasks(RegionId forward, RegionId backward, StageProgram& program);

    /// Merges the bodies of two repeats. Ports and outputs are those of the first body, then those of the
    /// second.
    RegionId of_bodies(RegionId first, RegionId second);

  private:
    std::vector<Region>& regions_;
    Communicates communicates_;
    std::map<std::pair<std::size_t, std::size_t>, RegionId> known_;
};

}  // namespace dse::graph
