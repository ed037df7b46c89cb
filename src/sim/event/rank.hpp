#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/memory_peak.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/waits.hpp"
#include "sim/event/activity.hpp"
#include "sim/event/program_cursor.hpp"
#include "sim/event/unstarted.hpp"

namespace dse::sim::event {

/// Memory of one rank, counted as it issues its nodes.
struct MemoryCount {
    double level{0};
    BytesByKind levels{};
    double peak{0};
    BytesByKind at_peak{};
    double host{0};
    double host_peak{0};

    void allocate(const graph::Buffer& buffer);
    void free(const graph::Buffer& buffer);
    /// Allocates the buffers that the node allocates, then frees those that it frees.
    void issue(const graph::Item& node, const graph::Graph& graph);
};

/// A message between two stages, as long as one of the two has not come to it.
struct Message {
    ActivityPtr transfer;
    int known_to{0};  ///< how many know it, of: sender, receiver's stream, receiver's task
};

struct Rank {
    Rank(const graph::Graph& graph, std::int64_t number, std::uint32_t stage_of_it);

    std::int64_t number;
    std::uint32_t stage;
    bool exhausted{false};  ///< whether everything has been issued
    std::uint64_t issued{0};
    Unstarted unstarted;               ///< nodes and releases
    std::vector<ActivityPtr> last_on;  ///< by stream; for the compute stream, its last occupant
    ProgramCursor cursor;
    /// Messages of a rank on one lane.
    struct Lane {
        ActivityPtr last_sent;
        ActivityPtr last_received;
        std::size_t next_receive{0};  ///< position of the next task whose receive is not posted
    };
    std::array<Lane, graph::most_lanes> lanes;
    std::map<std::tuple<graph::Pass, std::uint16_t, std::uint32_t>, Message> messages;  ///< to this rank
    MemoryCount memory;
    Parts parts;  ///< if breakdowns are needed
    Waits waits;  ///< if the path is needed
};

}  // namespace dse::sim::event
