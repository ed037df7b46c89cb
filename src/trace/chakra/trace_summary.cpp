#include "dse/trace/chakra/trace_summary.hpp"

#include <map>
#include <tuple>

namespace dse::trace::chakra {
namespace {

void add_node(const TraceStep& step, TraceSummary& summary) {
    ++summary.by_type[static_cast<std::size_t>(step.type)];
    if (step.is_cpu_op) ++summary.host_nodes;
    if (step.duration_micros > 0) ++summary.timed_nodes;
    const auto bytes = static_cast<double>(step.tensor_size);
    if (step.type == NodeType::comp && !step.is_cpu_op) {
        summary.num_ops += static_cast<double>(step.num_ops);
        summary.kernel_bytes += bytes;
    }
    if (step.type == NodeType::mem_load || step.type == NodeType::mem_store) summary.copied_bytes += bytes;
}

std::vector<CommunicationTotal> communication_of(const Trace& trace) {
    using Key = std::tuple<NodeType, CommType, std::uint32_t>;
    std::map<Key, CommunicationTotal> totals;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const NodeType type = trace.step(NodeIndex{n}).type;
        if (type < NodeType::comm_send) continue;
        const Communication& communication = trace.communication(NodeIndex{n});
        const CommType kind = type == NodeType::comm_coll ? communication.type : CommType::all_reduce;
        const std::uint32_t group = communication.group;
        CommunicationTotal& total =
            totals.try_emplace({type, kind, group}, CommunicationTotal{type, kind, group}).first->second;
        ++total.nodes;
        total.bytes += static_cast<double>(communication.size);
    }
    std::vector<CommunicationTotal> result;
    for (const auto& [key, total] : totals) result.push_back(total);
    return result;
}

std::vector<LaneTotal> lanes_of(const Trace& trace) {
    std::vector<LaneTotal> totals;
    for (const LaneNodes& lane : nodes_by_lane(trace)) {
        LaneTotal& total = totals.emplace_back(LaneTotal{lane.lane, lane.nodes.size(), 0});
        for (const NodeIndex node : lane.nodes) total.micros += trace.step(node).duration_micros;
    }
    return totals;
}

}  // namespace

TraceSummary summarise(const Trace& trace) {
    TraceSummary summary;
    summary.nodes = trace.size();
    for (std::size_t n = 0; n < trace.size(); ++n) {
        add_node(trace.step(NodeIndex{n}), summary);
        summary.control_dependencies += trace.control(NodeIndex{n}).size();
        summary.data_dependencies += trace.data(NodeIndex{n}).size();
    }
    summary.communication = communication_of(trace);
    summary.lanes = lanes_of(trace);
    if (summary.timed_nodes == 0) summary.path_cost = NodeCost::one;
    for (const Waits waits : {Waits::for_all, Waits::for_data}) {
        const auto order = dependency_order(trace, waits);
        if (!order) continue;
        summary.path_waits = waits;
        summary.path = critical_path(trace, *order, summary.path_cost, waits);
        break;
    }
    return summary;
}

}  // namespace dse::trace::chakra
