#include "dse/netsim/astra/links.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::netsim {

using hardware::DimensionKind;

AstraLinks::AstraLinks(const AstraSystem& system) {
    if (system.dimension_count != 1) {
        throw ModelError(fmt::format("ASTRA-sim's congestion-aware network has one dimension, not {}",
                                     system.dimension_count));
    }
    dimension_ = system.all_dimensions[0];
}

const AstraLinks::Departure* AstraLinks::offer(const Journey& journey, Ticks now) {
    const std::int64_t next = next_hop(journey);
    Link& link = links_[{journey.at, next}];
    if (!link.busy) return depart(link, next, journey, now);
    link.waiting.push_back(journey);
    return nullptr;
}

const AstraLinks::Departure* AstraLinks::free(std::int64_t from, std::int64_t next, Ticks now) {
    Link& link = links_[{from, next}];
    link.busy = false;
    if (link.waiting.empty()) return nullptr;
    const Journey journey = link.waiting.front();
    link.waiting.pop_front();
    return depart(link, next, journey, now);
}

std::int64_t AstraLinks::next_hop(const Journey& journey) const {
    const std::int64_t npus = dimension_.npus;
    if (dimension_.kind == DimensionKind::fully_connected) return journey.to;
    if (dimension_.kind == DimensionKind::switched) return journey.at == npus ? journey.to : npus;
    const std::int64_t clockwise = (journey.to - journey.at + npus) % npus;
    // Ties are routed clockwise.
    return clockwise <= npus - clockwise ? (journey.at + 1) % npus : (journey.at + npus - 1) % npus;
}

const AstraLinks::Departure* AstraLinks::depart(Link& link, std::int64_t next, const Journey& journey,
                                                Ticks now) {
    link.busy = true;
    latest_ = {journey.at, next, now + AstraSystem::delay(dimension_, 1, journey.bytes),
               now + whole_ticks(static_cast<double>(journey.bytes) / dimension_.bytes_per_tick), journey};
    latest_.journey.at = next;
    return &latest_;
}

}  // namespace dse::netsim
