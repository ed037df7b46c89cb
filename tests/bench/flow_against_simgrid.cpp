// The same messages played by SimGrid and by dse, in one run: when each of them ends, and flows a second.
// SimGrid without its TCP factors: a message takes latency + size / share. Exit 1 where ends differ, or where
// dse is less than ten times as fast on messages of equal sizes.
//
// Built where SimGrid is found (Debian: libsimgrid-dev); nothing else needs it.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include "support/star.hpp"

namespace {

namespace s4u = simgrid::s4u;
using dse::test::Message;
using dse::test::Star;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Hosts on one switch, as Star has them.
class SimGridStar {
  public:
    SimGridStar(const s4u::NetZone* root, std::int64_t hosts)
        : zone_{s4u::create_star_zone(fmt::format("star{}", hosts))->set_parent(root)} {
        for (std::int64_t h = 0; h < hosts; ++h) {
            const std::string name = fmt::format("star{}-{}", hosts, h);
            s4u::Host* host = zone_->create_host(name, 1e9);
            const s4u::Link* link =
                zone_->create_split_duplex_link(name, Star::bandwidth)->set_latency(Star::latency)->seal();
            zone_->add_route(host->get_netpoint(), nullptr, nullptr, nullptr,
                             {{link, s4u::LinkInRoute::Direction::UP}}, true);
            hosts_.push_back(host);
        }
        zone_->seal();
    }

    /// To be called by an actor. \return as Star::play
    std::vector<double> play(const std::vector<Message>& messages) const {
        const double begin = s4u::Engine::get_clock();
        std::vector<s4u::CommPtr> comms;
        for (const Message& message : messages) {
            comms.push_back(s4u::Comm::sendto_async(host(message.from), host(message.to),
                                                    static_cast<std::uint64_t>(message.bytes)));
        }
        s4u::Comm::wait_all(comms);
        std::vector<double> ends;
        for (const s4u::CommPtr& comm : comms) ends.push_back(comm->get_finish_time() - begin);
        return ends;
    }

    [[nodiscard]] s4u::Host* host(std::int64_t h) const { return hosts_[static_cast<std::size_t>(h)]; }

  private:
    s4u::NetZone* zone_;
    std::vector<s4u::Host*> hosts_;
};

struct Scenario {
    std::string name;
    std::int64_t hosts;
    std::vector<Message> messages;
    int times;           ///< one behind the other
    double least_ratio;  ///< of flows a second; 0: for information
};

struct Outcome {
    std::vector<double> ends;
    double rate{0};  ///< flows a second
};

template <class Play>
Outcome measure(const Scenario& scenario, Play play) {
    Outcome outcome;
    outcome.ends = play(scenario.messages);  // warm
    const Clock::time_point begin = Clock::now();
    for (int k = 0; k < scenario.times; ++k) outcome.ends = play(scenario.messages);
    outcome.rate = static_cast<double>(scenario.messages.size()) * scenario.times / seconds_since(begin);
    return outcome;
}

std::vector<Scenario> scenarios() {
    std::vector<Scenario> all;
    for (const std::int64_t hosts : {128, 256, 512, 1024}) {
        all.push_back({"ring step", hosts, dse::test::ring_step(hosts), 20, 10.0});
    }
    for (const std::int64_t hosts : {64, 128, 256}) {
        all.push_back({"all-to-all", hosts, dse::test::all_to_all(hosts), hosts < 256 ? 2 : 1, 10.0});
    }
    all.push_back({"uneven ring step", 256, dse::test::uneven(dse::test::ring_step(256), 1), 5, 0.0});
    all.push_back({"uneven all-to-all", 16, dse::test::uneven(dse::test::all_to_all(16), 2), 2, 0.0});
    all.push_back({"uneven all-to-all", 32, dse::test::uneven(dse::test::all_to_all(32), 3), 1, 0.0});
    return all;
}

/// Largest difference of two ends, relative.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]) / b[i]);
    return largest;
}

bool compare(const Scenario& scenario, const SimGridStar& simgrid) {
    Star star{scenario.hosts};
    const auto by_dse = [&](const std::vector<Message>& messages) { return star.play(messages); };
    const auto by_simgrid = [&](const std::vector<Message>& messages) { return simgrid.play(messages); };
    const Outcome ours = measure(scenario, by_dse);
    const Outcome theirs = measure(scenario, by_simgrid);
    const double apart = difference(ours.ends, theirs.ends);
    const double ratio = ours.rate / theirs.rate;
    fmt::print("{:<18} {:>5} {:>7} {:>12.0f} {:>12.0f} {:>8.1f} {:>10.1e}\n", scenario.name, scenario.hosts,
               scenario.messages.size(), ours.rate, theirs.rate, ratio, apart);
    // SimGrid takes what is within its precision of 1e-9 s for the same time.
    constexpr double tolerance = 1e-5;
    return apart <= tolerance && ratio >= scenario.least_ratio;
}

}  // namespace

int main(int argc, char** argv) {
    s4u::Engine engine(&argc, argv);
    s4u::Engine::set_config("network/model:CM02");
    for (const char* plain : {"network/latency-factor:1", "network/bandwidth-factor:1", "network/weight-S:0",
                              "network/TCP-gamma:0", "network/crosstraffic:0"}) {
        s4u::Engine::set_config(plain);
    }
    s4u::NetZone* root = s4u::create_full_zone("root");
    const std::vector<Scenario> all = scenarios();
    std::vector<std::pair<std::int64_t, SimGridStar>> stars;
    for (const std::int64_t hosts : {16, 32, 64, 128, 256, 512, 1024}) {
        stars.emplace_back(hosts, SimGridStar{root, hosts});
    }
    root->seal();
    bool holds = true;
    fmt::print("{:<18} {:>5} {:>7} {:>12} {:>12} {:>8} {:>10}\n", "messages", "hosts", "flows", "dse flows/s",
               "SimGrid", "ratio", "apart");
    s4u::Actor::create("measure", stars.front().second.host(0), [&] {
        for (const Scenario& scenario : all) {
            const auto star = std::ranges::find(stars, scenario.hosts, [](const auto& s) { return s.first; });
            holds = compare(scenario, star->second) && holds;
        }
    });
    engine.run();
    return holds ? 0 : 1;
}
