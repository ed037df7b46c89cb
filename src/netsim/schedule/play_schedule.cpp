#include "dse/netsim/schedule/play_schedule.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "dse/base/check.hpp"
#include "dse/base/time_quantum.hpp"
#include "dse/netsim/event_queue.hpp"

namespace dse::netsim {
namespace {

using Kind = ScheduleStep::Kind;

class Player {
  public:
    Player(const Schedule& schedule, double scale, std::span<const std::vector<std::int64_t>> groups,
           model::NetworkPlay& network)
        : schedule_{schedule}, scale_{scale}, groups_{groups}, network_{network} {
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (std::size_t m = 0; m < groups[g].size(); ++m) prepare(g, m);
        }
    }

    Seconds run() {
        for (begin_ready(); !is_over(); begin_ready()) {
            const double computed = ends_.empty() ? network_.next_time() : ends_.next_time();
            const double time = std::min(computed, network_.next_time());
            const auto arrived = network_.advance(time);
            const std::vector<model::NetworkPlay::Number> numbers{arrived.begin(), arrived.end()};
            for (const model::NetworkPlay::Number number : numbers) arrive(number);
            while (!ends_.empty() && ends_.next_time() <= time) end(ends_.pop().event);
        }
        return Seconds{network_.now()};
    }

  private:
    struct Place {
        std::uint32_t actor;
        std::uint32_t step;
    };
    struct Actor {
        std::size_t group;
        std::size_t member;
        std::vector<std::uint32_t> waits;
    };
    /// Group, tag, sender, receiver, bytes.
    using Channel = std::tuple<std::size_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    struct Traffic {
        std::int64_t arrived{0};
        std::deque<Place> awaiting;
    };

    [[nodiscard]] const ScheduleProgram& program(const Actor& actor) const {
        return schedule_.members[actor.member];
    }
    [[nodiscard]] std::int64_t rank(const Actor& actor, std::int64_t member) const {
        return groups_[actor.group][static_cast<std::size_t>(member)];
    }
    [[nodiscard]] bool is_over() const { return left_ == 0; }

    void prepare(std::size_t group, std::size_t member) {
        const auto number = static_cast<std::uint32_t>(actors_.size());
        Actor& actor = actors_.emplace_back(Actor{group, member, {}});
        const ScheduleProgram& own = program(actor);
        for (std::uint32_t step = 0; step < own.size(); ++step) {
            actor.waits.push_back(static_cast<std::uint32_t>(own.parents(step).size()));
            if (actor.waits.back() == 0) ready_.push_back({number, step});
        }
        left_ += own.size();
    }

    void begin_ready() {
        while (!ready_.empty()) {
            const Place place = ready_.front();
            ready_.pop_front();
            begin(place);
        }
    }

    void begin(Place place) {
        const Actor& actor = actors_[place.actor];
        const ScheduleStep& step = program(actor).step(place.step);
        const auto own = static_cast<std::int64_t>(actor.member);
        switch (step.kind) {
            case Kind::send: {
                const Bytes size{static_cast<double>(step.bytes) * scale_};
                const auto number = network_.begin(size, rank(actor, own), rank(actor, step.peer), 1.0);
                under_way_[number] = {place, {actor.group, step.tag, own, step.peer, step.bytes}};
                return;
            }
            case Kind::receive: {
                Traffic& traffic = traffic_[{actor.group, step.tag, step.peer, own, step.bytes}];
                if (traffic.arrived == 0) {
                    traffic.awaiting.push_back(place);
                } else {
                    --traffic.arrived;
                    end(place);
                }
                return;
            }
            case Kind::compute: {
                const double took = quantised(static_cast<double>(step.micros) * 1e-6 * scale_);
                ends_.push(network_.now() + took, place);
                return;
            }
        }
    }

    static double quantised(double seconds) { return std::nearbyint(seconds / time_quantum) * time_quantum; }

    void arrive(model::NetworkPlay::Number number) {
        const auto found = under_way_.find(number);
        DSE_REQUIRE(found != under_way_.end());
        const auto [place, channel] = found->second;
        under_way_.erase(found);
        end(place);
        Traffic& traffic = traffic_[channel];
        if (traffic.awaiting.empty()) {
            ++traffic.arrived;
            return;
        }
        const Place receive = traffic.awaiting.front();
        traffic.awaiting.pop_front();
        end(receive);
    }

    void end(Place place) {
        Actor& actor = actors_[place.actor];
        --left_;
        for (const std::uint32_t child : program(actor).children(place.step)) {
            if (--actor.waits[child] == 0) ready_.push_back({place.actor, child});
        }
    }

    const Schedule& schedule_;
    double scale_;
    std::span<const std::vector<std::int64_t>> groups_;
    model::NetworkPlay& network_;
    std::vector<Actor> actors_;
    std::deque<Place> ready_;
    std::map<model::NetworkPlay::Number, std::pair<Place, Channel>> under_way_;
    std::map<Channel, Traffic> traffic_;
    EventQueue<double, Place> ends_;  ///< of computation; those at the same time are ordered by their start
    std::size_t left_{0};
};

}  // namespace

Seconds play_schedule(const Schedule& schedule, double scale,
                      std::span<const std::vector<std::int64_t>> groups, model::NetworkPlay& network) {
    DSE_EXPECT(scale > 0.0);
    return Player{schedule, scale, groups, network}.run();
}

}  // namespace dse::netsim
