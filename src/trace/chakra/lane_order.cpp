#include "trace/chakra/lane_order.hpp"

#include <algorithm>

namespace dse::trace::chakra {
namespace {

constexpr std::uint32_t no_lane = TraceStep::none;
constexpr std::size_t most_lanes = 256;

/// Vector clocks: by node and lane, the last of the lane's nodes that must have ended before the node starts,
/// by dependencies alone. Exact if no dependency contradicts the order of a lane.
class Clocks {
  public:
    Clocks(std::size_t nodes, std::size_t lanes) : lanes_{lanes}, counts_(nodes * lanes, 0) {}

    [[nodiscard]] std::span<std::uint32_t> of(NodeIndex node) {
        return {counts_.data() + node.index() * lanes_, lanes_};
    }
    void wait_for(NodeIndex node, NodeIndex other) {
        const auto target = of(node);
        const auto source = of(other);
        std::transform(source.begin(), source.end(), target.begin(), target.begin(),
                       [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
    }

  private:
    std::size_t lanes_;
    std::vector<std::uint32_t> counts_;
};

struct Position {
    std::uint32_t lane{no_lane};
    std::uint32_t number{0};  ///< on the lane, from 1
};

/// Whether a rank sends and receives at once, as around a ring: one exchange, whose receiving end must not
/// wait for the sending one.
bool are_one_exchange(const Trace& trace, NodeIndex first, NodeIndex second) {
    return trace.step(first).type == NodeType::comm_send && trace.step(second).type == NodeType::comm_recv &&
           trace.communication(first).tag == trace.communication(second).tag &&
           trace.communication(first).size == trace.communication(second).size;
}

}  // namespace

std::vector<UnorderedPair> unordered_neighbours(const Trace& trace, std::span<const NodeIndex> order,
                                                std::span<const LaneNodes> lanes, Waits waits) {
    std::vector<UnorderedPair> pairs;
    std::vector<Position> position(trace.size());
    std::vector<const LaneNodes*> numbered;
    for (const LaneNodes& lane : lanes) {
        if (!lane.lane.number) continue;
        for (std::size_t n = 0; n < lane.nodes.size(); ++n)
            position[lane.nodes[n].index()] = {static_cast<std::uint32_t>(numbered.size()),
                                               static_cast<std::uint32_t>(n + 1)};
        numbered.push_back(&lane);
    }
    if (numbered.size() > most_lanes) return pairs;
    Clocks clocks{trace.size(), numbered.size()};
    for (const NodeIndex node : order) {
        for (const NodeIndex other : dependencies(trace, node, waits)) clocks.wait_for(node, other);
        const Position own = position[node.index()];
        if (own.lane == no_lane) continue;
        std::uint32_t& ended = clocks.of(node)[own.lane];
        if (ended + 1 < own.number) {
            const NodeIndex previous = numbered[own.lane]->nodes[own.number - 2];
            if (!are_one_exchange(trace, previous, node)) pairs.push_back({previous, node});
        }
        ended = std::max(ended, own.number);
    }
    return pairs;
}

}  // namespace dse::trace::chakra
