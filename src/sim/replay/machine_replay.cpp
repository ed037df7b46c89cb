#include "dse/sim/replay/machine_replay.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/time_quantum.hpp"
#include "dse/netsim/astra/events.hpp"
#include "sim/replay/lane_table.hpp"

namespace dse::sim::replay {
namespace {

using netsim::Ticks;
using trace::chakra::Communication;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::RankTrace;
using trace::chakra::Trace;
using trace::chakra::TraceStep;

// A tick is the time quantum, so that sums are exact.
Ticks ticks_of(Seconds time) {
    constexpr double longest = 0x1p20;  // 12 days; leaves headroom for sums
    if (!(time.value() <= longest))
        throw ModelError(fmt::format("something takes {:g} s, longer than what is played", time.value()));
    return static_cast<Ticks>(std::llround(time.value() / time_quantum));
}
Seconds seconds_of(Ticks ticks) {
    return Seconds{static_cast<double>(ticks) * time_quantum};
}

/// Data shared by all ranks with the same trace.
struct Program {
    LaneTable lanes;
    DependencyTable table;
    bool has_times;  ///< whether some node has a duration, or operations and bytes

    Program(const RankTrace& rank, Dependencies dependencies)
        : lanes{*rank.trace},
          table{rank, lanes.before(), dependencies},
          has_times{std::ranges::any_of(rank.trace->steps(), [](const TraceStep& step) {
              return step.duration_micros > 0 || step.num_ops > 0 || step.tensor_size > 0;
          })} {}
};

/// Sums up how long kernels were running, and how long only other nodes were.
class Usage {
  public:
    void begin(Ticks now, bool kernel) { count(now, kernel) += 1; }
    void end(Ticks now, bool kernel) { count(now, kernel) -= 1; }
    [[nodiscard]] Ticks compute() const { return compute_; }
    [[nodiscard]] Ticks exposed() const { return exposed_; }

  private:
    int& count(Ticks now, bool kernel) {
        const Ticks passed = now - last_;
        last_ = now;
        if (kernels_ > 0) {
            compute_ += passed;
        } else if (others_ > 0) {
            exposed_ += passed;
        }
        return kernel ? kernels_ : others_;
    }

    Ticks last_{0};
    Ticks compute_{0};
    Ticks exposed_{0};
    int kernels_{0};
    int others_{0};
};

class MachineReplay {
  public:
    MachineReplay(std::span<const RankTrace> ranks, const trace::chakra::Groups& groups, NodeTimes& times,
                  Dependencies dependencies)
        : traces_{ranks}, groups_{groups}, times_{times}, events_{ranks.size()} {
        for (const RankTrace& rank : ranks) {
            auto& program = programs_[rank.trace.get()];
            if (!program) program = std::make_unique<Program>(rank, dependencies);
            ranks_.push_back(
                {program.get(), IssueQueue{program->table, program->lanes.lanes()}, {}, {}, 0, {}});
        }
    }

    std::vector<MachineRank> play() {
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) pass(rank);
        events_.run();
        check_all_ended();
        std::vector<MachineRank> results;
        for (const Rank& rank : ranks_) {
            results.push_back({seconds_of(rank.finish), seconds_of(rank.usage.compute()),
                               seconds_of(rank.usage.exposed())});
        }
        return results;
    }

  private:
    using Action = netsim::AstraEvents::Action;
    struct Rank {
        const Program* program;
        IssueQueue queue;
        Usage usage;
        std::map<const std::vector<std::int64_t>*, std::uint64_t> met;  ///< collectives so far, by group
        Ticks finish;
        std::vector<std::uint32_t> at_work;
    };
    /// A collective whose members arrive one after the other.
    struct Meeting {
        Communication first;
        std::vector<std::pair<std::size_t, std::uint32_t>> came;  ///< rank and node
    };
    /// Messages with the same ends, tag and size.
    struct Channel {
        std::size_t arrived{0};       ///< messages not yet received
        std::deque<Action> awaiting;  ///< receives without a message
    };
    using ChannelKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

    [[nodiscard]] const TraceStep& step_of(std::size_t rank, std::uint32_t node) const {
        return traces_[rank].trace->step(NodeIndex{node});
    }
    [[nodiscard]] Lane lane(std::size_t rank, std::uint32_t node) const {
        return ranks_[rank].program->lanes.of(node);
    }
    static bool counts(const TraceStep& step) {
        return !step.is_cpu_op && step.type != NodeType::metadata && step.type != NodeType::invalid;
    }

    void pass(std::size_t rank) {
        Rank& own = ranks_[rank];
        own.queue.begin_pass([&](std::uint32_t node) { return lane(rank, node); });
        while (const auto node = own.queue.next()) issue(rank, *node);
        if (own.queue.left() == 0) own.finish = events_.now();
    }

    void issue(std::size_t rank, std::uint32_t node) {
        const TraceStep& step = step_of(rank, node);
        if (counts(step)) ranks_[rank].usage.begin(events_.now(), step.type == NodeType::comp);
        ranks_[rank].at_work.push_back(node);
        try {
            begin(rank, node, step);
        } catch (const ModelError& error) {
            throw InputError(fmt::format("{}: {}", place(rank, node), error.what()));
        }
    }

    void begin(std::size_t rank, std::uint32_t node, const TraceStep& step) {
        switch (step.type) {
            case NodeType::comm_coll:
                meet(rank, node);
                return;
            case NodeType::comm_send:
                send(rank, node);
                return;
            case NodeType::comm_recv:
                receive(rank, node);
                return;
            case NodeType::mem_load:
            case NodeType::mem_store:
                end_after(rank, node, times_.copy(step));
                return;
            default:
                if (step.type == NodeType::comp && !ranks_[rank].program->has_times)
                    throw ModelError("no node of its trace has a duration, or operations and bytes");
                end_after(rank, node, times_.compute(step));
        }
    }

    void end_after(std::size_t rank, std::uint32_t node, Seconds time) {
        events_.at(events_.now() + ticks_of(time), [this, rank, node] { end(rank, node); });
    }

    void end(std::size_t rank, std::uint32_t node) {
        Rank& own = ranks_[rank];
        const TraceStep& step = step_of(rank, node);
        if (counts(step)) own.usage.end(events_.now(), step.type == NodeType::comp);
        std::erase(own.at_work, node);
        own.queue.end(node, lane(rank, node));
        pass(rank);
    }

    const Communication& said(std::size_t rank, std::uint32_t node) const {
        const Trace& trace = *traces_[rank].trace;
        if (!trace.communicates(NodeIndex{node})) throw ModelError("it says nothing of its communication");
        return trace.communication(NodeIndex{node});
    }

    const std::vector<std::int64_t>& members(std::size_t rank, const Communication& communication) const {
        const auto& members = groups_.members(traces_[rank].group(communication));
        if (std::ranges::count(members, static_cast<std::int64_t>(rank)) == 0)
            throw ModelError(fmt::format("rank {} is not a member of its group", rank));
        return members;
    }

    void meet(std::size_t rank, std::uint32_t node) {
        const Communication& own = said(rank, node);
        const std::vector<std::int64_t>& group = members(rank, own);
        if (group.size() == 1) {
            // The traces of the other members may not be available.
            const auto micros = static_cast<double>(step_of(rank, node).duration_micros);
            end_after(rank, node, Seconds{micros * 1e-6});
            return;
        }
        const auto key = std::pair{&group, ranks_[rank].met[&group]++};
        Meeting& meeting = meetings_[key];
        if (meeting.came.empty()) meeting.first = own;
        if (own.type != meeting.first.type || own.size != meeting.first.size) {
            const auto& [other, its] = meeting.came.front();
            throw ModelError(fmt::format(
                "it is a {} of {} bytes, but its group meets in {}, a {} of {} bytes", name(own.type),
                own.size, place(other, its), name(meeting.first.type), meeting.first.size));
        }
        meeting.came.emplace_back(rank, node);
        if (meeting.came.size() < group.size()) return;
        const Ticks time = events_.now() + ticks_of(times_.collective(own.type, own.size, group));
        for (const auto& [member, its] : meeting.came)
            events_.at(time, [this, member = member, its = its] { end(member, its); });
        meetings_.erase(key);
    }

    ChannelKey channel(std::size_t rank, std::uint32_t node) const {
        const RankTrace& trace = traces_[rank];
        const Communication& own = said(rank, node);
        const auto self = static_cast<std::int64_t>(rank);
        const bool sends = step_of(rank, node).type == NodeType::comm_send;
        const auto from = sends ? self : trace.source(own).value_or(-1);
        const auto to = sends ? trace.destination(own).value_or(-1) : self;
        const std::int64_t other = sends ? to : from;
        if (other < 0 || other >= std::ssize(traces_) || other == self)
            throw ModelError(fmt::format("there is no other rank {} at its end", other));
        return {from, to, trace.tag(own).value_or(0), own.size};
    }

    void send(std::size_t rank, std::uint32_t node) {
        const ChannelKey key = channel(rank, node);
        const auto& [from, to, tag, bytes] = key;
        events_.at(events_.now() + ticks_of(times_.message(from, to, bytes)), [this, rank, node, key] {
            end(rank, node);
            Channel& channel = channels_[key];
            if (channel.awaiting.empty()) {
                ++channel.arrived;
                return;
            }
            const Action received = std::move(channel.awaiting.front());
            channel.awaiting.pop_front();
            received();
        });
    }

    void receive(std::size_t rank, std::uint32_t node) {
        Channel& channel = channels_[this->channel(rank, node)];
        const Action received = [this, rank, node] { end(rank, node); };
        if (channel.arrived == 0) {
            channel.awaiting.push_back(received);
            return;
        }
        --channel.arrived;
        events_.at(events_.now(), received);
    }

    [[nodiscard]] std::string place(std::size_t rank, std::uint32_t node) const {
        return fmt::format("rank {}: {}", rank, traces_[rank].place(NodeIndex{node}));
    }

    void check_all_ended() const {
        std::string text;
        std::size_t stuck = 0;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            if (ranks_[rank].queue.left() == 0) continue;
            constexpr std::size_t most = 8;
            if (++stuck <= most) text += "\n  " + waiting(rank);
        }
        if (stuck == 0) return;
        throw InputError(
            fmt::format("after {:.6f} s nothing happens any more, and {} of {} ranks have nodes left:{}",
                        seconds_of(events_.now()).value(), stuck, ranks_.size(), text));
    }

    [[nodiscard]] std::string waiting(std::size_t rank) const {
        DSE_REQUIRE(!ranks_[rank].at_work.empty());
        const std::uint32_t node = ranks_[rank].at_work.front();
        const TraceStep& step = step_of(rank, node);
        if (step.type == NodeType::comm_recv) {
            const auto [from, to, tag, bytes] = channel(rank, node);
            return fmt::format("{} waits for {} bytes from rank {} under tag {}", place(rank, node), bytes,
                               from, tag);
        }
        std::string missing;
        const auto& group = members(rank, said(rank, node));
        for (const std::int64_t member : group) {
            const auto other = static_cast<std::size_t>(member);
            const auto met = [&](std::size_t who) {
                const auto found = ranks_[who].met.find(&group);
                return found == ranks_[who].met.end() ? 0 : found->second;
            };
            if (met(other) < met(rank)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", member);
        }
        return fmt::format("{} waits for these members to come: rank {}", place(rank, node), missing);
    }

    std::span<const RankTrace> traces_;
    const trace::chakra::Groups& groups_;
    NodeTimes& times_;
    netsim::AstraEvents events_;
    std::map<const Trace*, std::unique_ptr<Program>> programs_;
    std::vector<Rank> ranks_;
    std::map<std::pair<const std::vector<std::int64_t>*, std::uint64_t>, Meeting> meetings_;
    std::map<ChannelKey, Channel> channels_;
};

}  // namespace

std::vector<MachineRank> replay_on_machine(std::span<const RankTrace> ranks,
                                           const trace::chakra::Groups& groups, NodeTimes& times,
                                           Dependencies dependencies) {
    return MachineReplay{ranks, groups, times, dependencies}.play();
}

}  // namespace dse::sim::replay
