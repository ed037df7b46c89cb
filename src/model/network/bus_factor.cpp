#include "dse/model/network/bus_factor.hpp"

namespace dse::model {

double bus_factor(graph::CollectiveKind kind, std::int64_t ranks) {
    using graph::CollectiveKind;
    if (kind == CollectiveKind::broadcast || kind == CollectiveKind::ring_shift) return 1.0;
    const double others = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
    return kind == CollectiveKind::all_reduce ? 2.0 * others : others;
}

}  // namespace dse::model
