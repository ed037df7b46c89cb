#pragma once

#include <string>
#include <vector>

#include "dse/workload/graph.hpp"

namespace dse::workload::chakra {

/// What is equal each time that an item of a region is played, on any rank: encoded once.
struct PreparedItem {
    bool written{false};  ///< repeats and launches of the host are no nodes
    bool meets{false};    ///< a collective of more than one rank
    std::string what;     ///< the last part of its name
    std::string fields;   ///< encoded
};

/// Items of all regions of a graph.
class PreparedGraph {
  public:
    explicit PreparedGraph(const Graph& graph);

    [[nodiscard]] const PreparedItem& item(RegionId region, std::size_t index) const {
        return items_[region.index()][index];
    }

  private:
    std::vector<std::vector<PreparedItem>> items_;
};

}  // namespace dse::workload::chakra
