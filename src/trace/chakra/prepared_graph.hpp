#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::trace::chakra {

/// What is equal each time that an item of a region is played, on any rank: encoded once.
struct PreparedItem {
    enum class Kind : std::uint8_t {
        nothing,  ///< repeats are no nodes, nor are markers, which launch nothing
        node,
        meeting,  ///< a collective of more than one rank: its communicator differs between ranks
        shift,    ///< a ring shift of more than one rank: a message out and a message in
    };
    Kind kind{Kind::nothing};
    std::string what;    ///< the last part of its name
    std::string fields;  ///< encoded; of a shift, none: its ends differ between ranks
};

/// Items of all regions of a graph.
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
