#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dse/graph/service_levels.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/traffic.hpp"

namespace dse::graph {

/// Fields of mode serving that contradict each other.
struct ServingConflict {
    /// Paths below `workload`, as in "traffic.rate"; the first is the one that an error names.
    std::vector<std::string_view> fields;
    std::string reason;
};
using ServingConflicts = std::vector<ServingConflict>;

ServingConflicts conflicts_of(const Traffic& traffic);
ServingConflicts conflicts_of(const ServingEngine& engine);
/// Of requests that an engine does not serve, or not so.
ServingConflicts conflicts_of(const ServingEngine& engine, const Traffic& traffic);
/// Of a search for the highest request rate (`rate_within`).
ServingConflicts conflicts_of(const ServiceLevels& levels, const Traffic& traffic);

/// Whether some requests begin with prefixes that are drawn.
bool has_prefixes(const Traffic& traffic);
/// Whether some requests continue others that are drawn.
bool has_conversations(const Traffic& traffic);
/// Whether some clients give up.
bool gives_up(const Traffic& traffic);
/// Whether any level is stated, for all requests or for those of a class.
bool states_levels(const ServiceLevels& levels, const Traffic& traffic);

/// \throws ModelError with the reason of the first conflict
void require_none(const ServingConflicts& conflicts);

}  // namespace dse::graph
