#include "sim/replay/astra_step.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::replay {
namespace {

using graph::CollectiveKind;
using netsim::AstraCompute;
using trace::chakra::CommType;
using trace::chakra::Communication;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::RankTrace;
using trace::chakra::TraceField;
using trace::chakra::TraceStep;

/// First tag of the messages of traces, which lie below those of collectives.
constexpr std::int64_t workload_tags = 500'000'000;

/// Dimensions that take part if the trace does not specify them.
constexpr netsim::AstraInvolved usual_dimensions = 0xF;

/// Interprets one node.
class Interpreter {
  public:
    Interpreter(const AstraJob& job, std::int64_t rank, NodeIndex node)
        : job_{job},
          rank_{rank},
          node_{node},
          trace_{job.ranks[static_cast<std::size_t>(rank)]},
          record_{trace_.trace->step(node)} {}

    AstraStep step() {
        if (job_.machine.compute.source == AstraCompute::Source::recorded_everything) return recorded();
        switch (record_.type) {
            case NodeType::invalid:
            case NodeType::metadata:
                return {};
            case NodeType::mem_load:
            case NodeType::mem_store:
                return memory();
            case NodeType::comp:
                return compute();
            case NodeType::comm_send:
            case NodeType::comm_recv:
                return message();
            case NodeType::comm_coll:
                break;
        }
        return collective();
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(fmt::format("{}: {}", place_of(job_, rank_, node_), why));
    }
    void need(TraceField field, const char* name) const {
        if (!record_.present.contains(field)) refuse(fmt::format("it has no {}", name));
    }

    AstraStep recorded() const {
        AstraStep step;
        step.what = AstraStep::What::time;
        step.ticks = AstraCompute::recorded(record_.duration_micros);
        step.counts_as_compute = !record_.is_cpu_op;
        return step;
    }

    AstraStep memory() const {
        need(TraceField::tensor_size, "tensor_size");
        if (job_.machine.memory.kind == netsim::AstraMemory::Kind::none) {
            refuse("it needs remote memory, the memory file has none (NO_MEMORY_EXPANSION)");
        }
        AstraStep step;
        step.what = AstraStep::What::memory;
        step.message.bytes = record_.tensor_size;
        return step;
    }

    AstraStep compute() const {
        if (job_.machine.compute.source == AstraCompute::Source::recorded || record_.is_cpu_op)
            return recorded();
        need(TraceField::num_ops, "num_ops");
        need(TraceField::tensor_size, "tensor_size");
        if (record_.tensor_size == 0) return {};
        if (record_.num_ops <= 0) refuse("num_ops is 0: ASTRA-sim's roofline divides by it");
        AstraStep step;
        step.what = AstraStep::What::time;
        step.ticks = job_.machine.compute.roofline(static_cast<double>(record_.num_ops),
                                                   static_cast<double>(record_.tensor_size));
        step.counts_as_compute = true;
        return step;
    }

    const Communication& communication() const {
        if (record_.is_cpu_op) refuse("communication of a host (is_cpu_op)");
        need(TraceField::comm_size, "comm_size");
        return trace_.trace->communication(node_);
    }

    AstraStep message() const {
        const Communication& said = communication();
        need(TraceField::comm_tag, "comm_tag");
        const bool sends = record_.type == NodeType::comm_send;
        AstraStep step;
        step.what = sends ? AstraStep::What::send : AstraStep::What::receive;
        step.message.tag = *trace_.tag(said) % workload_tags;
        step.message.from = trace_.source(said).value_or(sends ? rank_ : -1);
        step.message.to = trace_.destination(said).value_or(sends ? -1 : rank_);
        step.message.bytes = said.size;
        check(step.message, sends);
        return step;
    }

    void check(const netsim::AstraMessage& message, bool sends) const {
        const std::int64_t own = sends ? message.from : message.to;
        const std::int64_t other = sends ? message.to : message.from;
        if (own != rank_) {
            refuse(fmt::format("it is a {} of rank {} in the trace of rank {}", sends ? "send" : "receive",
                               own, rank_));
        }
        if (other < 0 || other >= job_.machine.system.npus() || other == rank_) {
            refuse(fmt::format("there is no other rank {} to {}", other,
                               sends ? "send to (comm_dst)" : "receive from (comm_src)"));
        }
        if (message.bytes < 1) refuse("a message of no bytes (comm_size)");
    }

    AstraStep collective() {
        const Communication& said = communication();
        need(TraceField::comm_type, "comm_type");
        if (said.type == CommType::broadcast) {
            AstraStep step = recorded();
            step.counts_as_compute = false;
            return step;
        }
        AstraStep step;
        step.what = AstraStep::What::collective;
        step.group = job_.groups.of(rank_, said.group);
        step.priority = said.priority;
        try {
            step.plan = plan(said, step.group);
        } catch (const ModelError& error) {
            refuse(error.what());
        }
        if (step.plan.phase_count == 0) {
            refuse("its group has one member, or no dimension takes part: ASTRA-sim would never end it");
        }
        return step;
    }

    CollectiveKind kind(CommType type) const {
        switch (type) {
            case CommType::all_reduce:
                return CollectiveKind::all_reduce;
            case CommType::all_gather:
                return CollectiveKind::all_gather;
            case CommType::all_to_all:
                return CollectiveKind::all_to_all;
            case CommType::reduce_scatter:
                return CollectiveKind::reduce_scatter;
            default:
                refuse(fmt::format("ASTRA-sim does not play a {}", name(type)));
        }
    }

    netsim::AstraPlan plan(const Communication& said, std::size_t group) const {
        const netsim::AstraSystem& system = job_.machine.system;
        const auto& members = job_.groups.groups()[group].ranks;
        if (const auto* schedule = job_.machine.schedules.find(kind(said.type), record_.id)) {
            const auto number = members.empty() ? system.npus() : static_cast<std::int64_t>(members.size());
            return plan_scheduled(system, *schedule, kind(said.type), said.size, number);
        }
        if (!members.empty()) {
            if (members.size() == 1) return {};
            return plan_group(system, kind(said.type), said.size, static_cast<std::int64_t>(members.size()));
        }
        return plan_all(system, kind(said.type), said.size, involved(said, group));
    }

    /// Only collectives without a group choose their dimensions.
    netsim::AstraInvolved involved(const Communication& said, std::size_t group) const {
        if (group != AstraGroups::all) return netsim::all_involved;
        const std::size_t dimensions = job_.machine.system.dimension_count;
        const bool says = record_.present.contains(TraceField::involved_dim);
        if ((says ? said.dimensions : 4U) < dimensions) {
            refuse(fmt::format("involved_dim speaks of {} dimensions, the network has {}",
                               says ? said.dimensions : 4U, dimensions));
        }
        return says ? said.involved : usual_dimensions;
    }

    const AstraJob& job_;
    std::int64_t rank_;
    NodeIndex node_;
    const RankTrace& trace_;
    const TraceStep& record_;
};

}  // namespace

AstraStep astra_step(const AstraJob& job, std::int64_t rank, NodeIndex node) {
    return Interpreter{job, rank, node}.step();
}

Lane lane_of(const TraceStep& step) {
    enum : Lane { host = 1, device = 2, communication = 3 };
    if (step.is_cpu_op) return host;
    if (step.type == NodeType::comp) return device;
    return step.type == NodeType::comm_recv ? IssueQueue::free_lane : Lane{communication};
}

std::string place_of(const AstraJob& job, std::int64_t rank, NodeIndex node) {
    return fmt::format("rank {}: {}", rank, job.ranks[static_cast<std::size_t>(rank)].place(node));
}

}  // namespace dse::sim::replay
