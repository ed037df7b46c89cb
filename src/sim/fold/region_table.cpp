#include "dse/sim/fold/region_table.hpp"

#include <algorithm>

namespace dse::sim::fold {

void RegionTable::reset(const graph::Graph& graph) {
    depends_.clear();
    most_values_ = 0;
    for (const graph::Region& region : graph.regions) {
        depends_.push_back(std::any_of(region.items.begin(), region.items.end(), [](const graph::Item& item) {
            return item.kind == graph::Item::Kind::repeat;
        }));
        most_values_ = std::max({most_values_, region.outputs.size(), std::size_t{region.ports}});
    }
    same_counts_.clear();
    for (std::uint32_t program = 0; program < graph.programs.size(); ++program) {
        std::uint32_t first = 0;
        while (graph.programs[first].counts != graph.programs[program].counts) ++first;
        same_counts_.push_back(first);
    }
}

}  // namespace dse::sim::fold
