#pragma once

#include <cstdint>
#include <functional>

#include "dse/base/units.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// When a node of a rank's trace ran. Times are since the beginning of the job's iteration.
struct NodeSpan {
    std::int64_t rank{0};
    trace::chakra::NodeIndex node;
    Seconds start;
    /// When the node had everything that it waited for after its start: the last member of a collective, the
    /// message of a receive. As `start` if it waited for nothing, or if the replay does not know.
    Seconds met;
    Seconds end;
};

/// Called for each node that has ended, in the order of ends.
using SpanObserver = std::function<void(const NodeSpan&)>;

}  // namespace dse::sim::replay
