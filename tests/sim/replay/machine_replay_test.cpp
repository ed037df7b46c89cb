// Also tests: replay/job_replay.cpp, replay/machine_wires.cpp

#include "dse/sim/replay/machine_replay.hpp"

#include <deque>
#include <functional>

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "sim/replay/small_machine.hpp"
#include "support/hand_trace.hpp"

namespace dse::sim::replay {
namespace {

using test::HandTrace;
using testing::HasSubstr;
using trace::chakra::CommType;

/// Plays traces made by hand: a byte takes a nanosecond.
class MachineReplayTest : public testing::Test {
  protected:
    std::vector<MachineRank> play(std::vector<HandTrace>& hands) {
        std::vector<trace::chakra::RankTrace> traces;
        for (HandTrace& hand : hands) traces.push_back(hand.build());
        trace::chakra::Groups groups{std::ssize(hands)};
        for (const auto& [name, members] : listed_) groups.add(name, members);
        NodeTimes times{cluster_, network_, std::ssize(hands), KernelTimes::recorded_first};
        return replay_on_machine({traces, &groups}, times);
    }
    /// In whole microseconds.
    std::vector<double> ends(std::vector<HandTrace>& hands) {
        std::vector<double> result;
        for (const MachineRank& rank : play(hands)) result.push_back(std::round(rank.finish.value() * 1e6));
        return result;
    }
    std::string error_of(std::vector<HandTrace>& hands) {
        try {
            play(hands);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    hardware::ClusterSpec cluster_{small_cluster()};
    PlainNetwork network_;
    std::map<std::string, std::vector<std::int64_t>> listed_;
};
using Ends = std::vector<double>;

TEST_F(MachineReplayTest, a_collective_begins_with_its_last_member_and_ends_for_all) {
    std::vector<HandTrace> hands(2);
    hands[0].recorded(0, 10).collective(1, CommType::all_reduce, 5000, "", {0});
    hands[1].recorded(0, 30).collective(1, CommType::all_reduce, 5000, "", {0});
    const std::vector<MachineRank> ranks = play(hands);
    EXPECT_NEAR(ranks[0].finish.value(), 35e-6, 1e-11);
    EXPECT_NEAR(ranks[1].finish.value(), 35e-6, 1e-11);
    EXPECT_NEAR(ranks[0].exposed.value(), 25e-6, 1e-11) << "its wait for the other one as well";
    EXPECT_NEAR(ranks[1].exposed.value(), 5e-6, 1e-11);
    EXPECT_NEAR(ranks[1].compute.value(), 30e-6, 1e-11);
}

TEST_F(MachineReplayTest, communicators_run_beside_each_other_and_beside_kernels) {
    listed_ = {{"1", {0, 1}}, {"2", {0, 1}}};
    std::vector<HandTrace> hands(2);
    for (HandTrace& hand : hands) {
        hand.recorded(0, 8).collective(1, CommType::all_reduce, 5000, "1");
        hand.collective(2, CommType::all_reduce, 7000, "2").collective(3, CommType::all_reduce, 5000, "1");
    }
    EXPECT_EQ(ends(hands), (Ends{10, 10}));
}

TEST_F(MachineReplayTest, a_stream_does_one_thing_after_the_other) {
    std::vector<HandTrace> hands(2);
    for (HandTrace& hand : hands) {
        // 1 waits for 0, which takes long; 2 is ready, but behind it on the stream.
        hand.stream(1).recorded(0, 20).stream(2).recorded(1, 5, {0}).recorded(2, 5);
    }
    EXPECT_EQ(ends(hands), (Ends{30, 30}));
}

TEST_F(MachineReplayTest, who_is_alone_in_its_group_takes_what_was_recorded) {
    std::vector<HandTrace> hands(1);
    hands[0].took(9).collective(0, CommType::all_reduce, 5000);
    EXPECT_EQ(ends(hands), (Ends{9}));
}

TEST_F(MachineReplayTest, messages_arrive_in_their_order) {
    std::vector<HandTrace> hands(2);
    hands[0].recorded(0, 10).send(1, 1, 4000, 3, {0}).send(2, 1, 4000, 3, {1});
    hands[1].receive(0, 0, 4000, 3).recorded(1, 1, {0}).receive(2, 0, 4000, 3, {1}).recorded(3, 1, {2});
    EXPECT_EQ(ends(hands), (Ends{18, 19}));
}

TEST_F(MachineReplayTest, never_hangs_but_says_who_waits_for_what) {
    std::vector<HandTrace> lonely(2);
    lonely[1].collective(0, CommType::all_reduce, 10);
    EXPECT_THAT(error_of(lonely), HasSubstr("waits for these members to come: rank 0"));

    std::vector<HandTrace> deaf(2);
    deaf[1].receive(0, 0, 10, 4);
    EXPECT_THAT(error_of(deaf), HasSubstr("waits for 10 bytes from rank 0 under tag 4"));

    std::vector<HandTrace> quarrel(2);
    quarrel[0].collective(0, CommType::all_reduce, 10);
    quarrel[1].collective(0, CommType::all_reduce, 20);
    EXPECT_THAT(error_of(quarrel), HasSubstr("its group meets in rank 0"));

    std::vector<HandTrace> circle(1);
    circle[0].stream(1).start(0).recorded(0, 1, {1}).start(1).recorded(1, 1);
    EXPECT_THAT(error_of(circle), HasSubstr("circle"));

    std::vector<HandTrace> timeless(1);
    timeless[0].recorded(0, 0);
    EXPECT_THAT(error_of(timeless), HasSubstr("no node of its trace has a duration"));

    std::vector<HandTrace> unknown(2);
    unknown[0].collective(0, CommType::gather, 10);
    unknown[1].collective(0, CommType::gather, 10);
    EXPECT_THAT(error_of(unknown), HasSubstr("no network here plays a gather"));
}

/// Jobs on domains of four devices, which have 100 GB/s and 2 us, and whose common uplink has 10 GB/s and 8
/// us.
class SharedMachine : public testing::Test {
  protected:
    SharedMachine() {
        hardware::NetworkSpec& network = cluster_.network;
        network.scale_up.link.bandwidth = BytesPerSecond{100e9};
        network.scale_up.link.latency = Seconds{2e-6};
        network.scale_up.domain = 4;
        network.scale_out.link.bandwidth = BytesPerSecond{10e9};
        network.scale_out.link.latency = Seconds{8e-6};
        network.scale_out.oversubscription = 4.0;
        network.collective.launch = network.collective.message_launch = Seconds{};
        network.collective.chunks = 1;
        network.topology.kind = hardware::TopologyKind::two_level;
    }
    /// Adds a job.
    void add(std::vector<HandTrace> hands, std::vector<std::int64_t> devices) {
        auto& traces = traces_.emplace_back();
        for (HandTrace& hand : hands) traces.push_back(hand.build());
        groups_.emplace_back(std::ssize(traces));
        devices_.push_back(std::move(devices));
    }
    /// Of the given jobs.
    std::vector<SharedRun> run(const std::vector<std::size_t>& jobs) {
        std::vector<PlacedJob> placed;
        for (const std::size_t job : jobs) placed.push_back({{traces_[job], &groups_[job]}, devices_[job]});
        NodeTimes times{cluster_, network_, 8, KernelTimes::recorded_first};
        return replay_together(placed, 8, cluster_.network, times);
    }

    hardware::ClusterSpec cluster_{small_cluster()};
    PlainNetwork network_;
    std::deque<std::vector<trace::chakra::RankTrace>> traces_;
    std::deque<trace::chakra::Groups> groups_;
    std::deque<std::vector<std::int64_t>> devices_;
};

/// Computes, and then sends to a rank that waits for it.
std::vector<HandTrace> sender(std::uint64_t micros, std::int64_t bytes) {
    std::vector<HandTrace> hands(2);
    hands[0].recorded(0, micros).send(1, 1, bytes, 7, {0});
    hands[1].receive(0, 0, bytes, 7).recorded(1, 1, {0});
    return hands;
}
constexpr double near = 1e-10;  // s

TEST_F(SharedMachine, MessagesOfTwoJobsShareAnUplink) {
    add(sender(100, 10'000'000), {0, 4});
    add(sender(100, 10'000'000), {1, 5});
    EXPECT_NEAR(run({0}).front().time.value(), 100e-6 + 8e-6 + 1000e-6 + 1e-6, near);
    for (const SharedRun& job : run({0, 1})) {
        EXPECT_NEAR(job.time.value(), 100e-6 + 8e-6 + 2000e-6 + 1e-6, near) << "half the rate";
        EXPECT_EQ(job.iterations, 1);
        EXPECT_NEAR(job.ranks[0].compute.value(), 100e-6, near);
        EXPECT_NEAR(job.ranks[0].exposed.value(), 8e-6 + 2000e-6, near);
    }
}

TEST_F(SharedMachine, JobsInDomainsOfTheirOwnDoNotMeet) {
    add(sender(100, 10'000'000), {0, 1});
    add(sender(100, 10'000'000), {4, 5});
    const double alone = run({0}).front().time.value();
    EXPECT_NEAR(alone, 100e-6 + 2e-6 + 100e-6 + 1e-6, near);
    for (const SharedRun& job : run({0, 1})) EXPECT_DOUBLE_EQ(job.time.value(), alone);
}

TEST_F(SharedMachine, AShortJobGoesOnUntilALongOneHasEnded) {
    add(sender(1, 10'000'000), {0, 4});
    add(sender(1, 1'000'000), {1, 5});
    const double alone = run({1}).front().time.value();
    EXPECT_NEAR(alone, 1e-6 + 8e-6 + 100e-6 + 1e-6, near);
    const std::vector<SharedRun> both = run({0, 1});
    EXPECT_EQ(both[0].iterations, 1);
    // The short one has half the rate for the 200 us that its message takes.
    EXPECT_NEAR(both[1].time.value(), alone + 100e-6, near);
    EXPECT_EQ(both[1].iterations, 9);
    // In each of its iterations of 210 us, the long one sends 1 MB beside it and 0.1 MB alone, from 9 us on:
    // 9.9 MB until 1,899 us, and the rest in 20 us more.
    EXPECT_NEAR(both[0].time.value(), 1919e-6 + 1e-6, near);
}

TEST_F(SharedMachine, ACollectiveBesideAMessageIsSlowedDown) {
    std::vector<HandTrace> reducers(2);
    for (HandTrace& hand : reducers) hand.collective(0, CommType::all_reduce, 10'000'000);
    add(std::move(reducers), {0, 4});
    add(sender(1, 100'000'000), {1, 5});
    const double alone = run({0}).front().time.value();
    EXPECT_GT(run({0, 1})[0].time.value(), 1.4 * alone);
}

TEST_F(SharedMachine, SaysWhoWaits) {
    std::vector<HandTrace> deaf(2);
    deaf[0].recorded(0, 5);
    deaf[1].receive(0, 0, 10, 4);
    add(std::move(deaf), {0, 4});
    add(sender(100, 1000), {1, 5});
    try {
        run({0, 1});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("waits for 10 bytes from rank 0 under tag 4"));
    }
}

TEST_F(SharedMachine, AJobThatTakesNoTimeNeverBeginsAgain) {
    std::vector<HandTrace> idle(1);
    idle[0].metadata(0);
    add(std::move(idle), {0});
    add(sender(100, 1000), {1, 5});
    EXPECT_EQ(run({0}).front().time, Seconds{});
    EXPECT_THROW(run({0, 1}), InputError);
    EXPECT_THROW(run({0, 0}), InputError) << "though neither begins again";
}

}  // namespace
}  // namespace dse::sim::replay
