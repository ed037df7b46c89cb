#include "sim/replay/lane_table.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace dse::sim::replay {

using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::Trace;
using trace::chakra::TraceField;
using trace::chakra::TraceStep;

std::optional<LaneKey> lane_key(const Trace& trace, NodeIndex node) {
    using Kind = LaneKey::Kind;
    const TraceStep& step = trace.step(node);
    if (step.type == NodeType::metadata || step.type == NodeType::invalid) return std::nullopt;
    if (step.is_cpu_op) return LaneKey{Kind::host, step.thread};
    if (step.present.contains(TraceField::stream)) return LaneKey{Kind::stream, step.stream};
    switch (step.type) {
        case NodeType::comp:
            return LaneKey{Kind::compute};
        case NodeType::mem_load:
        case NodeType::mem_store:
            return LaneKey{Kind::copies, static_cast<std::int64_t>(step.type)};
        case NodeType::comm_coll:
            return LaneKey{Kind::communicator,
                           trace.communicates(node) ? trace.communication(node).group : 0};
        case NodeType::comm_send:
            return LaneKey{Kind::messages,
                           trace.communicates(node) ? trace.communication(node).destination : 0};
        default:
            return std::nullopt;
    }
}

LaneTable::LaneTable(const Trace& trace) {
    std::map<LaneKey, Lane> numbers;
    std::vector<bool> is_stream(1, false);
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto key = lane_key(trace, NodeIndex{i});
        if (!key) {
            lane_of_.push_back(IssueQueue::free_lane);
            continue;
        }
        const auto [entry, is_new] = numbers.try_emplace(*key, static_cast<Lane>(numbers.size() + 1));
        if (is_new) is_stream.push_back(key->kind == LaneKey::Kind::stream);
        lane_of_.push_back(entry->second);
    }
    lanes_ = is_stream.size();
    order_streams(trace, is_stream);
}

void LaneTable::order_streams(const Trace& trace, const std::vector<bool>& is_stream) {
    std::vector<std::uint32_t> nodes(trace.size());
    std::iota(nodes.begin(), nodes.end(), 0U);
    const auto issued = [&](std::uint32_t node) {
        const TraceStep& step = trace.step(NodeIndex{node});
        return std::pair{step.start_micros, step.id};
    };
    std::ranges::stable_sort(nodes, {}, issued);
    before_.assign(trace.size(), DependencyTable::none);
    std::vector<std::uint32_t> last(lanes_, DependencyTable::none);
    for (const std::uint32_t node : nodes) {
        const Lane lane = lane_of_[node];
        if (is_stream[lane]) before_[node] = std::exchange(last[lane], node);
    }
}

}  // namespace dse::sim::replay
