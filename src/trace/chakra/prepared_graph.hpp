#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::trace::chakra {

/// The parts of an item that are the same in every execution on any rank, encoded once.
struct PreparedItem {
    enum class Kind : std::uint8_t {
        nothing,  ///< not written: repeats, and markers, which launch nothing
        node,
        meeting,  ///< a collective of more than one rank: its communicator differs between ranks
        shift,    ///< a ring shift between several ranks: one message out and one in
    };
    Kind kind{Kind::nothing};
    std::string what;    ///< last part of its name
    std::string fields;  ///< encoded; empty for a shift, whose ends differ between ranks
};

/// The prepared items of all regions of a graph.
class PreparedGraph {
  public:
    explicit PreparedGraph(const graph::Graph& graph);

    [[nodiscard]] const PreparedItem& item(graph::RegionId region, std::size_t index) const {
        return items_[region.index()][index];
    }

  private:
    std::vector<std::vector<PreparedItem>> items_;
};

}  // namespace dse::trace::chakra
