#include "dse/sim/replay/astra_replay.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "sim/replay/astra_step.hpp"
#include "sim/replay/astra_wires.hpp"
#include "sim/replay/check_schedules.hpp"
#include "sim/replay/issue_queue.hpp"
#include "sim/replay/rank_classes.hpp"
#include "sim/replay/remote_memory.hpp"
#include "sim/replay/tick_order.hpp"

namespace dse::sim::replay {
namespace {

using netsim::Ticks;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::RankTrace;
using trace::chakra::Trace;

/// One table for all ranks with the same trace.
class Tables {
  public:
    const DependencyTable& of(const RankTrace& rank) {
        auto& table = by_trace_[rank.trace.get()];
        if (!table) table = std::make_unique<DependencyTable>(rank);
        return *table;
    }

  private:
    std::map<const Trace*, std::unique_ptr<DependencyTable>> by_trace_;
};

using Observer = std::function<void(const NodeEvent&)>;

class Replay {
  public:
    Replay(const AstraJob& job, const RankClasses& classes, AstraWires& wires, Doubt doubt,
           const Observer& observe)
        : job_{job},
          wires_{wires},
          doubt_{doubt},
          events_{wires.events()},
          observe_{observe},
          memory_{job.machine.memory, events_} {
        for (std::size_t i = 0; i < classes.size(); ++i) {
            const std::int64_t rank = classes.representative(i);
            const DependencyTable& table = tables_.of(trace_of(rank));
            actors_.push_back({rank, &table, IssueQueue{table, astra_lanes}, {}, {}, {}});
        }
    }

    void play() {
        for (std::size_t actor = 0; actor < actors_.size(); ++actor) pass(actor);
        events_.run();
        if (!has_stopped()) check_all_ended();
    }

    /// Whether it has stopped because of a doubt: there are no results.
    [[nodiscard]] bool has_stopped() const { return has_stopped_ || wires_.has_stopped(); }

    [[nodiscard]] const AstraRank& result(std::size_t actor) const { return actors_[actor].result; }

  private:
    struct NodeAtWork {
        std::uint32_t node;
        std::size_t left;  ///< nodes of the rank that had not ended when it started
    };
    struct Actor {
        std::int64_t rank;
        const DependencyTable* table;
        IssueQueue queue;
        AstraRank result;
        std::vector<NodeAtWork> at_work;
        TickOrder order;
    };

    [[nodiscard]] const RankTrace& trace_of(std::int64_t rank) const {
        return job_.ranks[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] Lane lane(const Actor& actor, std::uint32_t node) const {
        return lane_of(trace_of(actor.rank).trace->step(NodeIndex{node}));
    }

    /// Starts all nodes that can start. The rank is done if no node is left.
    void pass(std::size_t number) {
        if (has_stopped()) return;
        Actor& actor = actors_[number];
        actor.queue.begin_pass([&](std::uint32_t node) { return lane(actor, node); });
        while (const auto node = actor.queue.next()) issue(number, *node);
        if (actor.queue.left() == 0) actor.result.finish = events_.now();
    }

    void issue(std::size_t number, std::uint32_t node) {
        Actor& actor = actors_[number];
        actor.at_work.push_back({node, actor.queue.left()});
        tell(NodeEvent::Kind::issued, actor, node);
        const AstraStep step = astra_step(job_, actor.rank, NodeIndex{node});
        const auto end = [this, number, node] {
            Actor& own = actors_[number];
            if (doubt_ == Doubt::stop && order_matters(own, node)) has_stopped_ = true;
            leave(own, node);
            pass(number);
        };
        switch (step.what) {
            case AstraStep::What::nothing:
                actor.order.passed(events_.now());
                leave(actor, node);
                return;
            case AstraStep::What::time:
                if (step.counts_as_compute) actor.result.compute += step.ticks;
                events_.at(events_.now() + step.ticks, number, end);
                return;
            case AstraStep::What::memory:
                memory_.request(actor.rank, number, step.message.bytes, end);
                return;
            case AstraStep::What::send:
                wires_.send(step, end);
                return;
            case AstraStep::What::receive:
                wires_.receive(step, end);
                return;
            case AstraStep::What::collective:
                wires_.collective(number, step, end);
                return;
        }
    }

    /// Whether it could matter that this node ends before or after others of its rank in this tick.
    /// \pre it has not left
    bool order_matters(Actor& actor, std::uint32_t node) const {
        const auto bit = [](Lane lane) { return TickOrder::Lanes{1} << lane; };
        const Lane own = lane(actor, node);
        const auto work = std::ranges::find(actor.at_work, node, &NodeAtWork::node);
        TickOrder::End end{.tick = events_.now(),
                           .follows = work->left == actor.queue.left(),
                           .waiting = actor.queue.has_fresh(),
                           .freed = own == IssueQueue::free_lane ? 0 : bit(own)};
        for (const std::uint32_t child : actor.table->children(node)) {
            if (actor.queue.waits(child) != 1) continue;
            end.ready |= bit(lane(actor, child));
            if (actor.table->waits(child) > 1) end.joint |= bit(lane(actor, child));
        }
        return actor.order.matters(end);
    }

    void leave(Actor& actor, std::uint32_t node) {
        std::erase_if(actor.at_work, [&](const NodeAtWork& each) { return each.node == node; });
        tell(NodeEvent::Kind::ended, actor, node);
        actor.queue.end(node, lane(actor, node));
    }

    void tell(NodeEvent::Kind kind, const Actor& actor, std::uint32_t node) const {
        if (observe_) observe_({kind, events_.now(), actor.rank, NodeIndex{node}});
    }

    void check_all_ended() const {
        std::string text;
        std::size_t stuck = 0;
        for (const Actor& actor : actors_) {
            if (actor.queue.left() == 0) continue;
            constexpr std::size_t most = 8;
            if (++stuck <= most) text += "\n  " + waiting(actor);
        }
        if (stuck == 0) return;
        throw InputError(
            fmt::format("after tick {} nothing happens any more, and {} of {} ranks (of those that "
                        "differ) have nodes left:{}",
                        events_.now(), stuck, actors_.size(), text));
    }

    [[nodiscard]] std::string waiting(const Actor& actor) const {
        if (actor.at_work.empty()) {
            return fmt::format(
                "rank {}: {} nodes wait behind nodes that end as they begin; ASTRA-sim looks for "
                "ready nodes only when something has taken time",
                actor.rank, actor.queue.left());
        }
        const NodeIndex node{actor.at_work.front().node};
        const AstraStep step = astra_step(job_, actor.rank, node);
        return place_of(job_, actor.rank, node) + " " + waits_for(step);
    }

    [[nodiscard]] std::string waits_for(const AstraStep& step) const {
        const netsim::AstraMessage& message = step.message;
        if (step.what == AstraStep::What::receive) {
            return fmt::format("waits for {} bytes from rank {} under tag {}", message.bytes, message.from,
                               message.tag);
        }
        if (step.what == AstraStep::What::send) {
            return fmt::format("waits for rank {} to receive {} bytes under tag {}", message.to,
                               message.bytes, message.tag);
        }
        const auto& members = job_.groups.groups()[step.group].ranks;
        std::string others;
        for (const Actor& other : actors_) {
            if (!members.empty() && !std::ranges::count(members, other.rank)) continue;
            const bool in_it = std::ranges::any_of(other.at_work, [&](const NodeAtWork& work) {
                const AstraStep its = astra_step(job_, other.rank, NodeIndex{work.node});
                return its.what == AstraStep::What::collective && its.group == step.group;
            });
            if (!in_it) others += fmt::format("{}{}", others.empty() ? "" : ", ", other.rank);
        }
        return fmt::format("waits for {}", others.empty() ? "others to play the same collective"
                                                          : "these members to come: rank " + others);
    }

    const AstraJob& job_;
    AstraWires& wires_;
    Doubt doubt_;
    bool has_stopped_{false};
    netsim::AstraEvents& events_;
    const Observer& observe_;
    Tables tables_;
    RemoteMemory memory_;
    std::vector<Actor> actors_;
};

/// \returns nothing if it has stopped because of a doubt
std::optional<std::vector<AstraRank>> play(const AstraJob& job, const RankClasses& classes, AstraWires& wires,
                                           Doubt doubt, const Observer& observe) {
    DSE_EXPECT(std::ssize(job.ranks) == job.machine.system.npus());
    Replay replay{job, classes, wires, doubt, observe};
    replay.play();
    if (replay.has_stopped()) return std::nullopt;
    std::vector<AstraRank> results;
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank)
        results.push_back(replay.result(classes.of(static_cast<std::int64_t>(rank))));
    return results;
}

/// Whether ranks wait for each other at a memory that they share. The memory serves requests of the same tick
/// in the order of events, which only a simulation of every message keeps, and equal ranks are served at
/// different times.
bool share_memory(const AstraJob& job) {
    using Kind = netsim::AstraMemory::Kind;
    if (job.machine.memory.kind != Kind::per_node && job.machine.memory.kind != Kind::pool) return false;
    return std::ranges::any_of(job.ranks, [](const RankTrace& rank) {
        const Trace& trace = *rank.trace;
        for (std::size_t i = 0; i < trace.size(); ++i) {
            const NodeType type = trace.step(NodeIndex{i}).type;
            if (type == NodeType::mem_load || type == NodeType::mem_store) return true;
        }
        return false;
    });
}

/// There are no closed forms for collectives if messages share links or a bus or use rendezvous, nor for
/// collectives of trace files, which share their tags with other messages, and which a member may end before
/// others start.
bool is_solvable(const AstraJob& job) {
    const netsim::AstraFabric::Rules& rules = job.machine.rules;
    return job.machine.schedules.empty() && !rules.bus && rules.network == netsim::AstraNetwork::unaware &&
           rules.protocol == netsim::AstraProtocol::eager && !share_memory(job);
}

std::optional<std::vector<AstraRank>> replay_solved(const AstraJob& job, Doubt doubt) {
    const RankClasses classes{job, RankClasses::Fold::equal_ranks};
    const auto wires = solved_wires(job, classes, doubt);
    return play(job, classes, *wires, doubt, {});
}

}  // namespace

std::vector<AstraRank> replay_messages(const AstraJob& job, const Observer& observe) {
    if (!job.machine.schedules.empty()) check_schedules(job);
    const RankClasses every_rank{job, RankClasses::Fold::none};
    const auto wires = message_wires(job);
    return *play(job, every_rank, *wires, Doubt::accept, observe);
}

std::int64_t count_messages(const AstraJob& job, std::int64_t most) {
    std::int64_t count = 0;
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
        const Trace& trace = *job.ranks[rank].trace;
        for (std::size_t i = 0; i < trace.size() && count < most; ++i) {
            const NodeIndex node{i};
            const NodeType type = trace.step(node).type;
            if (type == NodeType::comm_send) ++count;
            if (type != NodeType::comm_coll) continue;
            const AstraStep step = astra_step(job, static_cast<std::int64_t>(rank), node);
            for (const netsim::AstraPhase& phase : step.plan.phases()) {
                const bool ring = phase.algorithm.algorithm == hardware::Algorithm::ring;
                count += step.plan.chunks * (ring ? ring_messages(phase) : 2 * (phase.nodes - 1));
            }
        }
    }
    return std::min(count, most);
}

std::vector<AstraRank> replay(const AstraJob& job) {
    if (!is_solvable(job)) return replay_messages(job);
    return *replay_solved(job, Doubt::accept);
}

std::optional<std::vector<AstraRank>> replay_if_certain(const AstraJob& job) {
    if (!is_solvable(job)) return std::nullopt;
    return replay_solved(job, Doubt::stop);
}

}  // namespace dse::sim::replay
