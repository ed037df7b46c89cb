#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::graph {

/// Makes regions that do what two do, in turns: the communication of one runs while the other computes.
///
/// Bodies are cut behind each communication that one of their later steps waits for, and the pieces issued in
/// turns, the second body's first; rows of bodies are paired off one by one, and what is left over of the
/// longer row follows alone. Order within each of the two stays, so that its values are what they were.
/// Source: DeepSeek-AI 2024 (arXiv 2412.19437), figure 4, where a backward pass starts with a communication
/// that the attention of the forward pass hides.
class Turns {
  public:
    /// Whether a node is a communication: works need not have their values yet.
    using Communicates = std::function<bool(const Item&)>;

    /// \param regions  those that are paired, and where new ones are added; outlives this
    Turns(std::vector<Region>& regions, Communicates communicates)
        : regions_{regions}, communicates_{std::move(communicates)} {}

    /// The region for two tasks (ChunkProgram::overlapped).
    /// \param forward   region of a forward: one port
    /// \param backward  region of a whole backward: one output
    /// \param program   of the stage that has both; gets the counts of new repeats
    RegionId of_tasks(RegionId forward, RegionId backward, StageProgram& program);

    /// The body of a repeat that does what the bodies of two do: ports and outputs of the first, then those
    /// of the second.
    RegionId of_bodies(RegionId first, RegionId second);

  private:
    std::vector<Region>& regions_;
    Communicates communicates_;
    std::map<std::pair<std::size_t, std::size_t>, RegionId> known_;
};

}  // namespace dse::graph
