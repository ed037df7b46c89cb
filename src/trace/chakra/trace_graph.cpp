#include "dse/trace/chakra/trace_graph.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

namespace dse::trace::chakra {
namespace {

/// The dependents of each node: the inverse of the dependencies.
class Dependents {
  public:
    Dependents(const Trace& trace, Waits waits) : begins_(trace.size() + 1, 0) {
        for (std::size_t n = 0; n < trace.size(); ++n) {
            for (const NodeIndex other : dependencies(trace, NodeIndex{n}, waits))
                ++begins_[other.index() + 1];
        }
        for (std::size_t n = 0; n < trace.size(); ++n) begins_[n + 1] += begins_[n];
        nodes_.resize(begins_.back());
        std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
        for (std::size_t n = 0; n < trace.size(); ++n) {
            for (const NodeIndex other : dependencies(trace, NodeIndex{n}, waits))
                nodes_[next[other.index()]++] = NodeIndex{n};
        }
    }
    [[nodiscard]] std::span<const NodeIndex> of(NodeIndex node) const {
        const std::uint32_t begin = begins_[node.index()];
        return {nodes_.data() + begin, begins_[node.index() + 1] - begin};
    }

  private:
    std::vector<std::uint32_t> begins_;
    std::vector<NodeIndex> nodes_;
};

/// Nodes that can be ordered; nodes on or after a cycle cannot.
struct Sorted {
    std::vector<NodeIndex> order;
    std::vector<std::uint32_t> waiting;  ///< by node: number of dependencies not in the order
};

Sorted sort(const Trace& trace, Waits waits) {
    const Dependents dependents{trace, waits};
    Sorted sorted;
    sorted.order.reserve(trace.size());
    sorted.waiting.resize(trace.size());
    std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>> ready;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        sorted.waiting[n] = static_cast<std::uint32_t>(dependencies(trace, NodeIndex{n}, waits).size());
        if (sorted.waiting[n] == 0) ready.push(NodeIndex{n});
    }
    while (!ready.empty()) {
        const NodeIndex node = ready.top();
        ready.pop();
        sorted.order.push_back(node);
        for (const NodeIndex dependent : dependents.of(node)) {
            if (--sorted.waiting[dependent.index()] == 0) ready.push(dependent);
        }
    }
    return sorted;
}

}  // namespace

std::span<const NodeIndex> dependencies(const Trace& trace, NodeIndex node, Waits waits) {
    return waits == Waits::for_all ? trace.dependencies(node) : trace.data(node);
}

std::vector<NodeIndex> find_cycle(const Trace& trace, Waits waits) {
    const std::vector<std::uint32_t> waiting = sort(trace, waits).waiting;
    const auto stuck = [&waiting](NodeIndex node) { return waiting[node.index()] > 0; };
    const auto first = std::find_if(waiting.begin(), waiting.end(), [](std::uint32_t w) { return w > 0; });
    if (first == waiting.end()) return {};
    // Every stuck node waits for another stuck node: following such dependencies ends in a cycle.
    constexpr std::size_t unseen = ~std::size_t{0};
    std::vector<std::size_t> step(trace.size(), unseen);
    std::vector<NodeIndex> walk;
    NodeIndex node{static_cast<std::size_t>(first - waiting.begin())};
    while (step[node.index()] == unseen) {
        step[node.index()] = walk.size();
        walk.push_back(node);
        const auto others = dependencies(trace, node, waits);
        node = *std::find_if(others.begin(), others.end(), stuck);
    }
    walk.erase(walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(step[node.index()]));
    return walk;
}

std::optional<std::vector<NodeIndex>> dependency_order(const Trace& trace, Waits waits) {
    Sorted sorted = sort(trace, waits);
    if (sorted.order.size() < trace.size()) return std::nullopt;
    return std::move(sorted.order);
}

CriticalPath critical_path(const Trace& trace, std::span<const NodeIndex> order, NodeCost cost, Waits waits) {
    std::vector<std::uint64_t> finish(trace.size(), 0);
    std::vector<NodeIndex> latest(trace.size());  // by node: its last dependency to end; itself if it has
                                                  // none
    CriticalPath path;
    NodeIndex last;
    for (const NodeIndex node : order) {
        latest[node.index()] = node;
        std::uint64_t start = 0;
        for (const NodeIndex other : dependencies(trace, node, waits)) {
            if (finish[other.index()] < start ||
                (latest[node.index()] != node && finish[other.index()] == start))
                continue;
            start = finish[other.index()];
            latest[node.index()] = other;
        }
        finish[node.index()] = start + (cost == NodeCost::one ? 1 : trace.step(node).duration_micros);
        if (finish[node.index()] <= path.length && path.length > 0) continue;
        path.length = finish[node.index()];
        last = node;
    }
    if (order.empty()) return path;
    for (NodeIndex node = last;; node = latest[node.index()]) {
        path.nodes.push_back(node);
        if (latest[node.index()] == node) break;
    }
    std::reverse(path.nodes.begin(), path.nodes.end());
    return path;
}

Lane lane_of(const TraceStep& step) {
    Lane lane{step.is_cpu_op ? Lane::Place::host : Lane::Place::device, std::nullopt};
    if (!step.is_cpu_op && step.present.contains(TraceField::stream)) {
        lane.number = step.stream;
    } else if (step.present.contains(TraceField::thread)) {
        lane.number = step.thread;
    }
    return lane;
}

std::vector<LaneNodes> nodes_by_lane(const Trace& trace) {
    std::map<Lane, std::vector<NodeIndex>> lanes;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const TraceStep& step = trace.step(NodeIndex{n});
        if (step.type != NodeType::metadata) lanes[lane_of(step)].emplace_back(n);
    }
    std::vector<LaneNodes> result;
    for (auto& [lane, nodes] : lanes) {
        const bool started = std::all_of(nodes.begin(), nodes.end(), [&trace](NodeIndex node) {
            return trace.step(node).present.contains(TraceField::start);
        });
        const auto key = [&](NodeIndex node) {
            const TraceStep& step = trace.step(node);
            return std::pair{started ? step.start_micros : 0, step.id};
        };
        std::sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) { return key(a) < key(b); });
        result.push_back({lane, std::move(nodes)});
    }
    return result;
}

}  // namespace dse::trace::chakra
