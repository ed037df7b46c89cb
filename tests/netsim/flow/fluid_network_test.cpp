#include "dse/netsim/flow/fluid_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/base/time_quantum.hpp"

namespace dse::netsim::flow {
namespace {

using Route = std::vector<LinkId>;

/// Links one behind the other, of the given capacities in B/s.
LinkGraph chain(const std::vector<double>& capacities) {
    LinkGraph graph;
    NodeId last = graph.add_node(Node::Kind::hub, "0");
    for (const double capacity : capacities) {
        const NodeId next = graph.add_node(Node::Kind::hub, "next");
        graph.add_link({last, next, BytesPerSecond{capacity}, Seconds{}});
        last = next;
    }
    return graph;
}

Route links(std::initializer_list<std::size_t> indices) {
    Route route;
    for (const std::size_t index : indices) route.emplace_back(index);
    return route;
}

TEST(FluidNetwork, AFlowThatNeverEndsIsRefused) {
    const LinkGraph graph = chain({1e-308});
    FluidNetwork network{graph};
    network.add(links({0}), Bytes{10.0});
    EXPECT_THROW(static_cast<void>(network.next_time()), ModelError);
}

TEST(FluidNetwork, OneFlowHasItsNarrowestLink) {
    const LinkGraph graph = chain({8.0, 2.0, 4.0});
    FluidNetwork network{graph};
    const FlowId flow = network.add(links({0, 1, 2}), Bytes{10.0});
    EXPECT_EQ(network.rate(flow).value(), 2.0);
    EXPECT_EQ(network.next_time(), 5.0);  // 10 B at 2 B/s
    const auto ended = network.advance(5.0);
    ASSERT_EQ(ended.size(), 1U);
    EXPECT_EQ(ended[0], flow);
    EXPECT_EQ(network.next_time(), std::numeric_limits<double>::infinity());
}

TEST(FluidNetwork, TextbookMaxMin) {
    // Three links of 1, 2 and 3 B/s; one flow over all, one over each of the others. Link 0 (two flows) gives
    // 1/2 to each; link 1 has 3/2 left for its own, link 2 5/2.
    const LinkGraph graph = chain({1.0, 2.0, 3.0});
    FluidNetwork network{graph};
    const FlowId all = network.add(links({0, 1, 2}), Bytes{1.0});
    const FlowId first = network.add(links({0}), Bytes{1.0});
    const FlowId second = network.add(links({1}), Bytes{1.0});
    const FlowId third = network.add(links({2}), Bytes{1.0});
    EXPECT_EQ(network.rate(all).value(), 0.5);
    EXPECT_EQ(network.rate(first).value(), 0.5);
    EXPECT_EQ(network.rate(second).value(), 1.5);
    EXPECT_EQ(network.rate(third).value(), 2.5);
}

TEST(FluidNetwork, BandwidthOfAnEndedFlowGoesToTheOthers) {
    // Two flows of 2 and 6 B share 4 B/s: 2 B/s each until 1 s, then 4 B are left at 4 B/s: 2 s.
    const LinkGraph graph = chain({4.0});
    FluidNetwork network{graph};
    const FlowId shorter = network.add(links({0}), Bytes{2.0});
    const FlowId longer = network.add(links({0}), Bytes{6.0});
    EXPECT_EQ(network.next_time(), 1.0);
    EXPECT_EQ(network.advance(1.0).front(), shorter);
    EXPECT_EQ(network.rate(longer).value(), 4.0);
    EXPECT_EQ(network.next_time(), 2.0);
}

TEST(FluidNetwork, DelayedFlowsTakeNothingBeforeTheyEnter) {
    // Alone at 4 B/s for 1 s, then 2 B/s each: the first has 4 B left at 1 s and ends at 3 s; the second has
    // sent 4 of its 8 B by then, and ends at 4 s.
    const LinkGraph graph = chain({4.0});
    FluidNetwork network{graph};
    const FlowId first = network.add(links({0}), Bytes{8.0});
    const FlowId second = network.add(links({0}), Bytes{8.0}, Seconds{1.0});
    EXPECT_EQ(network.messages_on(LinkId{0}), 2.0);
    EXPECT_EQ(network.rate(second).value(), 0.0);
    EXPECT_EQ(network.next_time(), 1.0);
    EXPECT_TRUE(network.advance(1.0).empty());
    EXPECT_EQ(network.next_time(), 3.0);
    EXPECT_EQ(network.advance(3.0).front(), first);
    EXPECT_EQ(network.next_time(), 4.0);
    EXPECT_EQ(network.advance(4.0).front(), second);
}

TEST(FluidNetwork, ACountIsThatManyFlows) {
    // Three messages side by side and a fourth: 1 of 4 B/s each; each of the three has 2 B.
    const LinkGraph graph = chain({4.0});
    FluidNetwork network{graph};
    const FlowId three = network.add(links({0}), Bytes{2.0}, Seconds{}, 3.0);
    const FlowId other = network.add(links({0}), Bytes{8.0});
    EXPECT_EQ(network.rate(three).value(), 1.0);
    EXPECT_EQ(network.rate(other).value(), 1.0);
    EXPECT_EQ(network.next_time(), 2.0);
}

TEST(FluidNetwork, ALinkThatARouteTakesTwiceIsLoadedTwice) {
    const LinkGraph graph = chain({4.0});
    FluidNetwork network{graph};
    const FlowId twice = network.add(links({0, 0}), Bytes{2.0});
    EXPECT_EQ(network.rate(twice).value(), 2.0);
    network.advance(network.next_time());
    EXPECT_EQ(network.messages_on(LinkId{0}), 0.0);
    EXPECT_EQ(network.rate(network.add(links({0}), Bytes{2.0})).value(), 4.0);
}

TEST(FluidNetwork, ARemovedFlowLeavesItsShare) {
    const LinkGraph graph = chain({4.0});
    FluidNetwork network{graph};
    const FlowId gone = network.add(links({0}), Bytes{8.0});
    const FlowId waits = network.add(links({0}), Bytes{8.0}, Seconds{9.0});
    const FlowId stays = network.add(links({0}), Bytes{8.0});
    EXPECT_EQ(network.next_time(), 4.0);
    network.advance(1.0);
    network.remove(gone);
    network.remove(waits);
    EXPECT_EQ(network.next_time(), 2.5);  // 6 B left at 4 B/s
    network.advance(2.5);
    EXPECT_EQ(network.messages_on(LinkId{0}), 0.0);
    static_cast<void>(stays);
    network.restart();
    EXPECT_EQ(network.now(), 0.0);
}

TEST(FluidNetwork, OnlyTheComponentIsSolved) {
    const LinkGraph graph = chain({4.0, 4.0, 4.0});
    FluidNetwork network{graph};
    network.add(links({0}), Bytes{8.0});
    network.add(links({1, 2}), Bytes{8.0});
    EXPECT_GT(network.next_time(), 0.0);
    const std::uint64_t before = network.rates_solved();
    network.add(links({0}), Bytes{8.0});
    EXPECT_GT(network.next_time(), 0.0);
    EXPECT_EQ(network.rates_solved() - before, 2U);  // both flows of link 0, not the one elsewhere
}

/// Random flows over a random graph, with what they were made of.
class RandomTraffic {
  public:
    explicit RandomTraffic(std::uint64_t seed)
        : random_{seed}, graph_{chain(capacities())}, network_{graph_} {}

    void begin() {
        Route route;
        const std::size_t hops = std::uniform_int_distribution<std::size_t>(1, 4)(random_);
        while (route.size() < hops) {
            const LinkId link{
                std::uniform_int_distribution<std::size_t>(0, graph_.links().size() - 1)(random_)};
            if (std::find(route.begin(), route.end(), link) == route.end()) route.push_back(link);
        }
        const double count = std::uniform_int_distribution<int>(1, 3)(random_);
        const double size = std::uniform_real_distribution<double>(0.5, 5.0)(random_);
        const FlowId flow = network_.add(route, Bytes{size}, Seconds{}, count);
        going_on_[flow] = {route, count};
    }

    void go_on() {
        for (const FlowId flow : network_.advance(network_.next_time())) going_on_.erase(flow);
    }

    /// What tells max–min fair rates from all others: no link carries more than it can, and every flow has a
    /// full link on which nobody is faster (Bertsekas and Gallager, proposition of section 6.5.2).
    void expect_fair() {
        std::vector<double> load(graph_.links().size());
        std::vector<double> fastest(graph_.links().size());
        for (const auto& [flow, made] : going_on_) {
            const double rate = network_.rate(flow).value();
            for (const LinkId link : made.route) {
                load[link.index()] += rate * made.count;
                fastest[link.index()] = std::max(fastest[link.index()], rate);
            }
        }
        constexpr double tolerance = 1e-12;
        for (std::size_t l = 0; l < load.size(); ++l) {
            EXPECT_LE(load[l], graph_.links()[l].capacity.value() * (1.0 + tolerance));
        }
        for (const auto& [flow, made] : going_on_) {
            const double rate = network_.rate(flow).value();
            const bool has_bottleneck = std::ranges::any_of(made.route, [&](LinkId link) {
                const double capacity = graph_.link(link).capacity.value();
                return load[link.index()] >= capacity * (1.0 - tolerance) &&
                       rate >= fastest[link.index()] * (1.0 - tolerance);
            });
            EXPECT_TRUE(has_bottleneck);
        }
    }

    [[nodiscard]] FluidNetwork& network() { return network_; }
    [[nodiscard]] std::size_t size() const { return going_on_.size(); }

  private:
    struct Made {
        Route route;
        double count;
    };
    std::vector<double> capacities() {
        std::vector<double> all(12);
        for (double& one : all) one = std::uniform_int_distribution<int>(1, 6)(random_);
        return all;
    }

    std::mt19937_64 random_;
    LinkGraph graph_;
    FluidNetwork network_;
    std::map<FlowId, Made> going_on_;
};

TEST(FluidNetwork, RatesAreMaxMinFairAtAllTimes) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        RandomTraffic traffic{seed};
        for (int step = 0; step < 40; ++step) {
            for (int k = 0; k < 3; ++k) traffic.begin();
            traffic.expect_fair();
            traffic.go_on();
            traffic.expect_fair();
        }
        while (traffic.size() > 0) traffic.go_on();
    }
}

TEST(FluidNetwork, TimesAreWholeQuantaAndTheSameTwice) {
    const auto play = [] {
        std::vector<double> times;
        RandomTraffic traffic{7};
        for (int k = 0; k < 50; ++k) traffic.begin();
        while (traffic.size() > 0) {
            times.push_back(traffic.network().next_time());
            traffic.go_on();
        }
        return times;
    };
    const std::vector<double> times = play();
    EXPECT_EQ(times, play());
    EXPECT_TRUE(std::ranges::is_sorted(times));
    for (const double time : times) EXPECT_EQ(std::fmod(time, time_quantum), 0.0);
}

TEST(FluidNetwork, EqualFlowsEndTogether) {
    // 7 hosts, everyone to everyone through a switch: 6 flows on every port, all of 1/6 of 10 B/s.
    LinkGraph graph;
    const NodeId hub = graph.add_node(Node::Kind::hub, "hub");
    std::vector<LinkId> up;
    for (int host = 0; host < 7; ++host) {
        const NodeId node = graph.add_node(Node::Kind::endpoint, "host");
        up.push_back(graph.add_cable({node, hub, BytesPerSecond{10.0}, Seconds{}}));
    }
    FluidNetwork network{graph};
    for (std::size_t from = 0; from < 7; ++from) {
        for (std::size_t to = 0; to < 7; ++to) {
            if (from != to) network.add(links({up[from].index(), up[to].index() + 1}), Bytes{1.0});
        }
    }
    const double end = network.next_time();
    EXPECT_NEAR(end, 0.6, time_quantum);  // 6 × 1 B at 10 B/s
    EXPECT_EQ(network.advance(end).size(), 42U);
    EXPECT_EQ(network.rates_solved(), 42U);
}

}  // namespace
}  // namespace dse::netsim::flow
