#include "dse/netsim/schedule/check_schedule.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::netsim {
namespace {

using Kind = ScheduleStep::Kind;
/// Tag, sender, receiver, bytes.
using Channel = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

Channel channel_of(const ScheduleStep& step, std::size_t member) {
    const auto own = static_cast<std::int64_t>(member);
    return step.kind == Kind::send ? Channel{step.tag, own, step.peer, step.bytes}
                                   : Channel{step.tag, step.peer, own, step.bytes};
}

/// Executes a schedule as if all steps took no time.
class Walk {
  public:
    Walk(const Schedule& schedule, std::size_t members) : schedule_{schedule}, members_(members) {
        for (std::size_t m = 0; m < members; ++m) prepare(m);
    }

    void run() {
        while (!ready_.empty()) {
            const auto [member, step] = ready_.back();
            ready_.pop_back();
            begin(member, step);
        }
        refuse_standstill();
    }

  private:
    struct Member {
        std::vector<std::uint32_t> waits;  ///< by step: number of steps that it still waits for
        std::size_t left{0};
    };
    struct Place {
        std::size_t member;
        std::uint32_t step;
    };
    struct Traffic {
        std::int64_t arrived{0};
        std::vector<Place> awaiting;
    };

    [[nodiscard]] const ScheduleProgram& program(std::size_t member) const {
        return schedule_.members[member];
    }

    void prepare(std::size_t number) {
        Member& member = members_[number];
        const ScheduleProgram& own = program(number);
        member.left = own.size();
        for (std::uint32_t step = 0; step < own.size(); ++step) {
            const auto parents = own.parents(step);
            member.waits.push_back(static_cast<std::uint32_t>(parents.size()));
            if (parents.empty()) ready_.push_back({number, step});
        }
    }

    void begin(std::size_t member, std::uint32_t number) {
        const ScheduleStep& step = program(member).step(number);
        if (step.kind == Kind::compute) return end(member, number);
        Traffic& traffic = traffic_[channel_of(step, member)];
        if (step.kind == Kind::receive) {
            if (traffic.arrived == 0) {
                traffic.awaiting.push_back({member, number});
                return;
            }
            --traffic.arrived;
            return end(member, number);
        }
        end(member, number);
        if (traffic.awaiting.empty()) {
            ++traffic.arrived;
            return;
        }
        const Place received = traffic.awaiting.back();
        traffic.awaiting.pop_back();
        end(received.member, received.step);
    }

    void end(std::size_t number, std::uint32_t step) {
        Member& member = members_[number];
        --member.left;
        for (const std::uint32_t child : program(number).children(step)) {
            if (--member.waits[child] == 0) ready_.push_back({number, child});
        }
    }

    void refuse_standstill() const {
        std::string text;
        std::size_t stuck = 0;
        for (std::size_t m = 0; m < members_.size(); ++m) {
            if (members_[m].left == 0) continue;
            constexpr std::size_t most = 8;
            if (++stuck <= most) text += fmt::format("\n  member {}: {}", m, standing(m));
        }
        if (stuck == 0) return;
        throw InputError(fmt::format("schedule '{}': {} of {} members wait for ever:{}", schedule_.prefix,
                                     stuck, members_.size(), text));
    }

    [[nodiscard]] std::string standing(std::size_t member) const {
        for (const auto& [channel, traffic] : traffic_) {
            const auto own = std::ranges::find(traffic.awaiting, member, &Place::member);
            if (own == traffic.awaiting.end()) continue;
            const ScheduleStep& step = program(member).step(own->step);
            return fmt::format("{} waits for {} bytes from member {} under tag {}",
                               program(member).place(own->step), step.bytes, step.peer, step.tag);
        }
        const auto& waits = members_[member].waits;
        const auto first = std::ranges::find_if(waits, [](std::uint32_t count) { return count > 0; });
        return fmt::format("{} waits in a circle of dependencies",
                           program(member).place(static_cast<std::uint32_t>(first - waits.begin())));
    }

    const Schedule& schedule_;
    std::vector<Member> members_;
    std::vector<Place> ready_;
    std::map<Channel, Traffic> traffic_;
};

void check_peers(const Schedule& schedule, std::size_t members) {
    for (std::size_t m = 0; m < members; ++m) {
        const ScheduleProgram& program = schedule.members[m];
        for (std::uint32_t i = 0; i < program.size(); ++i) {
            const ScheduleStep& step = program.step(i);
            if (step.kind == Kind::compute) continue;
            const auto peer = static_cast<std::size_t>(step.peer);
            if (peer < members && peer != m) continue;
            throw InputError(fmt::format("{}: {} {}, in a group of {} members", program.place(i),
                                         step.kind == Kind::send ? "it sends to" : "it receives from",
                                         peer == m ? "its own member" : fmt::format("member {}", peer),
                                         members));
        }
    }
}

/// Checks that sends and receives match, per tag, sender, receiver and bytes.
void check_messages(const Schedule& schedule, std::size_t members) {
    struct Tally {
        std::int64_t surplus{0};
        std::size_t member{0};
        std::uint32_t step{0};
    };
    std::map<Channel, Tally> tallies;
    for (std::size_t m = 0; m < members; ++m) {
        const ScheduleProgram& program = schedule.members[m];
        for (std::uint32_t i = 0; i < program.size(); ++i) {
            const ScheduleStep& step = program.step(i);
            if (step.kind == Kind::compute) continue;
            Tally& tally = tallies[channel_of(step, m)];
            tally.surplus += step.kind == Kind::send ? 1 : -1;
            tally.member = m;
            tally.step = i;
        }
    }
    for (const auto& [channel, tally] : tallies) {
        if (tally.surplus == 0) continue;
        const auto& [tag, from, to, bytes] = channel;
        throw InputError(fmt::format("{}: of {} bytes from member {} to {} under tag {}, {} {} than {}",
                                     schedule.members[tally.member].place(tally.step), bytes, from, to, tag,
                                     std::abs(tally.surplus),
                                     tally.surplus > 0 ? "more are sent" : "more are awaited",
                                     tally.surplus > 0 ? "are awaited" : "are sent"));
    }
}

}  // namespace

void check_schedule(const Schedule& schedule, std::size_t members) {
    if (schedule.members.size() < members) {
        throw InputError(fmt::format(
            "schedule '{}' is of {} members, the group has {}: '{}.{}.et' is missing", schedule.prefix,
            schedule.members.size(), members, schedule.prefix, schedule.members.size()));
    }
    check_peers(schedule, members);
    check_messages(schedule, members);
    Walk{schedule, members}.run();
}

}  // namespace dse::netsim
