#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "sim/replay/astra_wires.hpp"
#include "sim/replay/solved_collective.hpp"

namespace dse::sim::replay {
namespace {

using netsim::AstraPlan;
using netsim::Ticks;

/// A collective whose members arrive one after the other.
struct Meeting {
    struct Member {
        std::size_t actor;
        std::size_t position;
        Ticks came;
        AstraWires::Action done;
    };
    AstraPlan plan;
    std::vector<std::int64_t> ranks;  ///< participants; empty: one actor alone
    netsim::AstraStart start;
    std::vector<Member> members;
};

bool is_same(const AstraPlan& a, const AstraPlan& b) {
    return a.chunks == b.chunks && a.phase_count == b.phase_count &&
           a.all_phases[0].kind == b.all_phases[0].kind && a.all_phases[0].bytes == b.all_phases[0].bytes;
}

class SolvedWires final : public AstraWires {
  public:
    SolvedWires(const AstraJob& job, const RankClasses& classes, Doubt doubt)
        : job_{job},
          classes_{classes},
          doubt_{doubt},
          events_{classes.size()},
          post_{job.machine.system, netsim::AstraNetwork::unaware, netsim::AstraProtocol::eager, events_},
          solved_{job.machine.system},
          counts_(classes.size()),
          turns_(classes.size()) {}

    netsim::AstraEvents& events() override { return events_; }
    void send(const AstraStep& step, Action sent) override {
        post_.send(classes_.common(job_, step.message), std::move(sent));
    }
    void receive(const AstraStep& step, Action received) override {
        post_.receive(classes_.common(job_, step.message), std::move(received));
    }

    void collective(std::size_t actor, const AstraStep& step, Action done) override {
        const std::int64_t rank = classes_.representative(actor);
        const auto& group = job_.groups.groups()[step.group].ranks;
        const std::int64_t sequence = counts_[actor][step.group]++;
        const bool alone = classes_.moves_in_step(step.group);
        std::vector<std::int64_t> ranks;
        if (!alone) ranks = group.empty() ? block_of(step.plan, rank) : group;
        const std::int64_t leader = alone || !group.empty() ? 0 : ranks.front();
        const Key key{classes_.group_class(step.group), sequence, leader, alone ? actor : 0};
        const auto [entry, is_new] = meetings_.try_emplace(key);
        Meeting& meeting = entry->second;
        if (is_new) {
            meeting.plan = step.plan;
            meeting.ranks = std::move(ranks);
            meeting.start.turns = turns_[actor];
        }
        if (!is_same(meeting.plan, step.plan)) {
            if (doubt_ == Doubt::accept) refuse(meeting, actor);
            has_stopped_ = true;
        }
        if (has_stopped_) return;
        count_turns(actor, step.plan);
        // The others may represent members of groups that are like this one: its own position is the same in
        // all.
        const auto& own = group.empty() ? meeting.ranks : group;
        const auto place = std::ranges::find(own, rank) - own.begin();
        DSE_EXPECT(alone || place < std::ssize(own));
        meeting.members.push_back(
            {actor, alone ? 0 : static_cast<std::size_t>(place), events_.now(), std::move(done)});
        if (!alone && meeting.members.size() < meeting.ranks.size()) return;
        end(meeting, step.group);
        meetings_.erase(entry);
    }
    [[nodiscard]] bool has_stopped() const override { return has_stopped_; }

  private:
    /// Class of the group, number of its earlier collectives, first rank of the block, actor.
    using Key = std::tuple<std::size_t, std::int64_t, std::int64_t, std::size_t>;

    void end(Meeting& meeting, std::size_t group) {
        const Ticks first = std::ranges::min(meeting.members, {}, &Meeting::Member::came).came;
        const bool alone = meeting.ranks.empty();
        meeting.start.members.resize(meeting.ranks.size());
        for (const auto& member : meeting.members) {
            if (!alone) meeting.start.members[member.position] = member.came - first;
        }
        has_stopped_ = doubt_ == Doubt::stop && !solved_.is_certain(meeting.plan, meeting.start);
        if (has_stopped_) return;
        if (alone) {
            const auto& ranks = job_.groups.groups()[group].ranks;
            const netsim::AstraHops link =
                ranks.empty() ? netsim::AstraHops{} : job_.machine.system.way(ranks[0], ranks[1]);
            end(meeting, meeting.members[0], first + solved_.in_step(meeting.plan, link));
            return;
        }
        const std::vector<Ticks> ends = solved_.ends(meeting.plan, meeting.ranks, meeting.start);
        for (auto& member : meeting.members) end(meeting, member, first + ends[member.position]);
    }

    /// Scheduled when the last message arrives, as a rank's own handling of it would be, so that the end has
    /// the same position among the events of its tick.
    void end(const Meeting& meeting, Meeting::Member& member, Ticks time) {
        const Ticks asked = std::max(events_.now(), time - solved_.handling(meeting.plan));
        events_.at(asked, [this, time, actor = member.actor, done = std::move(member.done)]() mutable {
            events_.at(time, actor, std::move(done));
        });
    }

    void count_turns(std::size_t actor, const AstraPlan& plan) {
        for (const netsim::AstraPhase& phase : plan.phases()) {
            if (phase.algorithm.algorithm == hardware::Algorithm::double_binary_tree)
                turns_[actor][phase.tree] += plan.chunks;
        }
    }

    [[noreturn]] void refuse(const Meeting& meeting, std::size_t actor) const {
        throw InputError(
            fmt::format("ranks {} and {} meet in different collectives: {} of {} bytes a chunk, and another",
                        classes_.representative(meeting.members[0].actor), classes_.representative(actor),
                        graph::name(meeting.plan.all_phases[0].kind), meeting.plan.all_phases[0].bytes));
    }

    const AstraJob& job_;
    const RankClasses& classes_;
    Doubt doubt_;
    bool has_stopped_{false};
    netsim::AstraEvents events_;
    netsim::AstraPost post_;
    SolvedCollective solved_;
    std::map<Key, Meeting> meetings_;
    std::vector<std::map<std::size_t, std::int64_t>>
        counts_;                             ///< number of collectives so far, by actor and group
    std::vector<netsim::AstraTurns> turns_;  ///< by actor
};

}  // namespace

std::unique_ptr<AstraWires> solved_wires(const AstraJob& job, const RankClasses& classes, Doubt doubt) {
    return std::make_unique<SolvedWires>(job, classes, doubt);
}

}  // namespace dse::sim::replay
