#include "dse/graph/adapter.hpp"

#include "graph/require_in_range.hpp"

namespace dse::graph {

void require_valid(const Adapter& adapter) {
    require_in_range(adapter);
}

}  // namespace dse::graph
