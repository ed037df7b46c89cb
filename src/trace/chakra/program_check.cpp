#include "trace/chakra/program_check.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/trace/chakra/trace_graph.hpp"
#include "trace/chakra/lane_order.hpp"
#include "trace/chakra/size_evidence.hpp"

namespace dse::trace::chakra {
namespace {

class ProgramCheck {
  public:
    ProgramCheck(const RankTrace& rank, std::uint64_t times, Findings& findings)
        : rank_{rank}, trace_{*rank.trace}, times_{times}, findings_{findings} {}

    void run() {
        for (std::size_t n = 0; n < trace_.size(); ++n) {
            const TraceStep& step = trace_.step(NodeIndex{n});
            is_timed_ = is_timed_ || step.duration_micros > 0;
        }
        for (std::size_t n = 0; n < trace_.size(); ++n) node(NodeIndex{n});
        if (const auto cycle = find_cycle(trace_); !cycle.empty()) tell_cycle(cycle);
        const std::vector<LaneNodes> lanes = nodes_by_lane(trace_);
        lane_order(lanes);
        ends(lanes);
        std::vector<std::uint64_t> refused;
        if (const std::string evidence = evidence_of_elements(rank_.path, refused); !evidence.empty())
            tell(FindingKind::counted_in_elements, evidence);
        // The first record is the file's metadata. All that decode() takes is a record.
        for (const std::uint64_t number : refused)
            tell(FindingKind::bad_record, NodeIndex{number - 2}, "a text in it is not UTF-8");
    }

  private:
    void tell(FindingKind kind, std::string_view what, std::uint64_t count = 1) {
        findings_.add(kind, fmt::format("{}: {}", rank_.path, what), count * times_);
    }
    void tell(FindingKind kind, NodeIndex node, std::string_view what) {
        // Findings that are only counted need no text.
        const Finding* known = findings_.find(kind);
        const bool spoken = known != nullptr && known->examples.size() >= Finding::most_examples;
        tell(kind, spoken ? std::string{} : fmt::format("{}: {}", rank_.place(node), what));
    }
    void tell_cycle(const std::vector<NodeIndex>& cycle) {
        constexpr std::size_t most = 6;
        std::vector<std::string> places;
        for (std::size_t n = 0; n < std::min(most, cycle.size()); ++n)
            places.push_back(rank_.place(cycle[n]));
        if (cycle.size() > most) places.push_back(fmt::format("{} more", cycle.size() - most));
        is_cyclic_ = true;
        const bool by_data = !find_cycle(trace_, Waits::for_data).empty();
        tell(FindingKind::cycle,
             fmt::format("{}, which waits for the first{}", fmt::join(places, ", which waits for "),
                         by_data ? ""
                                 : "; by data alone there is no cycle: control dependencies seem to name "
                                   "parents"));
    }

    void node(NodeIndex node) {
        const TraceStep& step = trace_.step(node);
        switch (step.type) {
            case NodeType::invalid:
                return tell(FindingKind::invalid_node, node, "its type is 0");
            case NodeType::metadata:
                return;
            case NodeType::mem_load:
            case NodeType::mem_store:
                return require(node, {{TraceField::tensor_size, "tensor_size"}});
            case NodeType::comp:
                return kernel(node);
            case NodeType::comm_send:
                return message(node, {TraceField::comm_dst, "comm_dst"});
            case NodeType::comm_recv:
                return message(node, {TraceField::comm_src, "comm_src"});
            case NodeType::comm_coll:
                return collective(node);
        }
    }

    struct Field {
        TraceField field;
        std::string_view name;
    };

    void require(NodeIndex node, std::initializer_list<Field> fields) {
        const TraceStep& step = trace_.step(node);
        for (const Field& field : fields) {
            if (!step.present.contains(field.field))
                tell(FindingKind::missing_attribute, node, fmt::format("it has no {}", field.name));
        }
    }

    void kernel(NodeIndex node) {
        const TraceStep& step = trace_.step(node);
        const bool has_roofline = step.num_ops > 0 && step.tensor_size > 0;
        if (!step.is_cpu_op && step.duration_micros == 0 && !has_roofline && !is_timed_)
            tell(FindingKind::no_time, node,
                 fmt::format("num_ops {}, tensor_size {}", step.num_ops, step.tensor_size));
        if (is_timed_ && step.duration_micros == 0 && step.num_ops == 0)
            tell(FindingKind::untimed, node, step.is_cpu_op ? "on the host" : "on the device");
    }

    void message(NodeIndex node, Field peer) {
        require(node, {peer, {TraceField::comm_tag, "comm_tag"}, {TraceField::comm_size, "comm_size"}});
        zero_bytes(node);
    }

    /// The host's side of a collective (PyTorch's record_param_comms) is not a collective itself.
    void collective(NodeIndex node) {
        const TraceStep& step = trace_.step(node);
        if (step.is_cpu_op) return;
        require(node, {{TraceField::comm_type, "comm_type"}, {TraceField::comm_size, "comm_size"}});
        const CommType kind = trace_.communication(node).type;
        if (kind != CommType::barrier) zero_bytes(node);
    }

    void zero_bytes(NodeIndex node) {
        const bool has_size = trace_.step(node).present.contains(TraceField::comm_size);
        if (has_size && trace_.communication(node).size == 0)
            tell(FindingKind::zero_bytes, node, name(trace_.step(node).type));
    }

    void lane_order(const std::vector<LaneNodes>& lanes) {
        const bool has_streams = std::any_of(
            lanes.begin(), lanes.end(), [](const LaneNodes& lane) { return lane.lane.number.has_value(); });
        if (!has_streams && trace_.size() > 1)
            tell(FindingKind::no_streams, "no node says its stream or thread");
        const Waits waits = is_cyclic_ ? Waits::for_data : Waits::for_all;
        const auto order = dependency_order(trace_, waits);
        if (!order) return;
        for (const UnorderedPair& pair : unordered_neighbours(trace_, *order, lanes, waits))
            tell(FindingKind::unordered_lane, pair.second,
                 fmt::format("it does not wait for {}, which runs before it", rank_.place(pair.first)));
    }

    /// Device nodes that nothing waits for, except the last one of each stream.
    void ends(const std::vector<LaneNodes>& lanes) {
        std::vector<bool> awaited(trace_.size(), false);
        for (std::size_t n = 0; n < trace_.size(); ++n) {
            for (const NodeIndex other : trace_.dependencies(NodeIndex{n})) awaited[other.index()] = true;
        }
        for (const LaneNodes& lane : lanes) {
            if (lane.lane.place == Lane::Place::host || !lane.lane.number) continue;
            for (std::size_t n = 0; n + 1 < lane.nodes.size(); ++n) {
                if (!awaited[lane.nodes[n].index()])
                    tell(FindingKind::nothing_waits, lane.nodes[n], name(trace_.step(lane.nodes[n]).type));
            }
        }
    }

    const RankTrace& rank_;
    const Trace& trace_;
    std::uint64_t times_;
    Findings& findings_;
    bool is_cyclic_{false};
    bool is_timed_{false};  ///< whether any node has a recorded duration
};

}  // namespace

void check_program(const RankTrace& rank, std::uint64_t times, Findings& findings) {
    ProgramCheck{rank, times, findings}.run();
}

}  // namespace dse::trace::chakra
