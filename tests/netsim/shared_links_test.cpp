#include "dse/netsim/shared_links.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "dse/base/time_quantum.hpp"
#include "dse/netsim/flow_model.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;

constexpr double tolerance = 100 * time_quantum;

/// When the last thing ends.
double drain(SharedLinks& links) {
    while (links.next_time() < std::numeric_limits<double>::infinity()) links.advance(links.next_time());
    return links.now();
}

/// Domains of four devices whose common uplink has the rate of one device, 10 GB/s.
hardware::NetworkSpec thin_network() {
    hardware::NetworkSpec network = test::small_network(hardware::TopologyKind::two_level);
    network.scale_out.oversubscription = 4.0;
    return network;
}

TEST(SharedLinks, MessagesOfTwoJobsShareAnUplink) {
    SharedLinks one{thin_network(), 8};
    one.begin(Bytes{10e6}, 0, 4);
    const double alone = drain(one);
    EXPECT_NEAR(alone, 8e-6 + 10e6 / 10e9, tolerance);

    SharedLinks two{thin_network(), 8};
    two.begin(Bytes{10e6}, 0, 4);
    two.begin(Bytes{10e6}, 1, 5);
    EXPECT_NEAR(drain(two), alone + 10e6 / 10e9, tolerance) << "each has half the rate";

    SharedLinks apart{thin_network(), 8};
    apart.begin(Bytes{10e6}, 0, 4);
    apart.begin(Bytes{10e6}, 5, 1);
    EXPECT_NEAR(drain(apart), alone, tolerance) << "links have two directions";
}

TEST(SharedLinks, ACollectiveAloneTakesWhatTheModelSays) {
    hardware::NetworkSpec network = thin_network();
    network.collective.launch = Seconds{3e-6};
    network.collective.chunks = 4;
    const std::array<std::int64_t, 4> members{5, 0, 4, 1};
    SharedLinks links{network, 8};
    links.begin(CollectiveKind::all_reduce, Bytes{64e6}, members);
    // A list that no pattern tiles the machine with is timed alone by the model as well.
    const Seconds expected =
        FlowModel{network}.time({CollectiveKind::all_reduce, Bytes{64e6}, model::RankList{members, 12}});
    EXPECT_NEAR(drain(links), expected.value(), tolerance);
}

TEST(SharedLinks, SaysWhatHasEnded) {
    SharedLinks links{thin_network(), 8};
    const auto late = links.begin(Bytes{20e6}, 0, 4);
    const auto early = links.begin(Bytes{1e6}, 2, 3);
    std::vector<SharedLinks::Number> ended;
    while (links.next_time() < std::numeric_limits<double>::infinity()) {
        for (const auto number : links.advance(links.next_time())) ended.push_back(number);
    }
    EXPECT_EQ(ended, (std::vector{early, late}));
}

}  // namespace
}  // namespace dse::netsim
