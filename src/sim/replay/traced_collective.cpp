#include "sim/replay/traced_collective.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::replay {
namespace {

using graph::CollectiveKind;
using trace::chakra::CommType;

CollectiveKind kind_of(CommType type) {
    switch (type) {
        case CommType::all_reduce:
        case CommType::barrier:
            return CollectiveKind::all_reduce;
        case CommType::all_gather:
            return CollectiveKind::all_gather;
        case CommType::all_to_all:
            return CollectiveKind::all_to_all;
        case CommType::reduce_scatter:
        case CommType::reduce_scatter_block:
            return CollectiveKind::reduce_scatter;
        // The same messages, in opposite directions.
        case CommType::broadcast:
        case CommType::reduce:
            return CollectiveKind::broadcast;
        default:
            throw ModelError(fmt::format("no network here plays a {}", name(type)));
    }
}

}  // namespace

TracedCollective traced_collective(CommType type, std::int64_t size, std::int64_t members) {
    constexpr double barrier_bytes = 4.0;
    if (type == CommType::barrier) return {kind_of(type), Bytes{barrier_bytes}};
    const double contributions = type == CommType::all_gather ? static_cast<double>(members) : 1.0;
    return {kind_of(type), Bytes{static_cast<double>(size) * contributions}};
}

}  // namespace dse::sim::replay
