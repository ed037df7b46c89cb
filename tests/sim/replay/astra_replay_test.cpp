#include "dse/sim/replay/astra_replay.hpp"

#include <array>
#include <random>

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "sim/replay/hand_job.hpp"

// Also tests: replay/astra_step.cpp, replay/message_wires.cpp, replay/solved_wires.cpp

namespace dse::sim::replay {
namespace {

using netsim::AstraCompute;
using netsim::AstraMemory;
using netsim::Ticks;
using testing::HasSubstr;

/// All ways, which have to agree.
std::vector<Ticks> play(HandJob& hand) {
    const AstraJob& job = hand.job();
    const std::vector<AstraRank> ranks = replay_messages(job);
    EXPECT_EQ(ranks, replay(job));
    EXPECT_EQ(ranks, replay_if_certain(job).value_or(ranks));
    std::vector<Ticks> ends;
    for (const AstraRank& rank : ranks) ends.push_back(rank.finish);
    return ends;
}
using Ends = std::vector<Ticks>;

std::string error_of(HandJob& hand) {
    const AstraJob& job = hand.job();
    try {
        replay(job);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(AstraReplay, one_kernel_one_collective_and_one_host_node_run_beside_each_other) {
    HandJob hand{2};
    for (HandTrace& rank : hand.hands) {
        rank.recorded(0, 10).recorded(1, 10).recorded(2, 7, {}, true).recorded(3, 7, {}, true);
        rank.collective(4, CommType::all_gather, 12000).collective(5, CommType::all_gather, 12000);
    }
    // Kernels 20 µs, host 14 µs, collectives 24 µs: a message of 12 µs each.
    EXPECT_EQ(play(hand), (Ends{24000, 24000}));
    EXPECT_EQ(replay(hand.job())[0].exposed(), 0) << "traces are built once";
}

TEST(AstraReplay, exposed_communication_is_all_that_no_kernel_covers) {
    HandJob hand{2};
    for (HandTrace& rank : hand.hands) rank.recorded(0, 10).collective(1, CommType::all_gather, 500, "", {0});
    const std::vector<AstraRank> ranks = replay(hand.job());
    EXPECT_EQ(ranks[0].finish, 10500);
    EXPECT_EQ(ranks[0].exposed(), 500);
}

TEST(AstraReplay, kernels_take_what_the_roofline_says) {
    HandJob hand{2};
    hand.machine.compute = {AstraCompute::Source::roofline, 2e12, 1e12};
    // 4e9 operations at 2e12 a second: 2 ms; 1e9 bytes at 1e12 a second: 1 ms. And 1e6 bytes: 1 µs.
    hand.hands[0].compute(0, 4'000'000'000, 1'000'000'000).compute(1, 10, 1'000'000, {0});
    EXPECT_EQ(play(hand), (Ends{2'001'000, 0}));
}

TEST(AstraReplay, a_send_is_done_when_the_message_is_there_and_holds_up_other_communication) {
    HandJob hand{3};
    hand.hands[0].send(0, 1, 1000, 5).send(1, 2, 1000, 5);
    hand.hands[1].recorded(0, 3).receive(1, 0, 1000, 5, {0});
    hand.hands[2].receive(0, 0, 1000, 5).recorded(1, 1, {0});
    EXPECT_EQ(play(hand), (Ends{2000, 3000, 3000}));
}

/// What ASTRA-sim 518bd51 says, run on these traces: the gather on the way back goes the other way round.
TEST(AstraReplay, late_members_of_an_all_reduce_over_two_dimensions) {
    using hardware::DimensionKind;
    HandJob hand{16};
    netsim::AstraSystem& system = hand.machine.system;
    system = {};
    system.add(netsim::AstraDimension::of_file(DimensionKind::ring, 4, 50.0, 500.0));
    system.add(netsim::AstraDimension::of_file(DimensionKind::fully_connected, 4, 50.0, 500.0));
    const std::array<netsim::AstraAlgorithm, 2> rings{};
    system.set_algorithms(rings);
    system.endpoint_delay = 0;
    system.reduction_bandwidth = 1e12;
    for (std::size_t rank = 0; rank < 16; ++rank)
        hand.hands[rank].recorded(0, 1 + rank * 3 % 4).collective(1, CommType::all_reduce, 65536, "", {0});
    const AstraJob& job = hand.job();
    const auto expect = [&](const std::array<Ticks, 4>& ends) {
        const std::vector<AstraRank> ranks = replay(job);
        EXPECT_EQ(ranks, replay_messages(job));
        for (std::size_t rank = 0; rank < 16; ++rank) EXPECT_EQ(ranks[rank].finish, ends[rank % 4]) << rank;
    };
    expect({11661, 12466, 11661, 10856});
    // With the bus inside devices; L, o and g in ticks.
    hand.machine.rules.bus = netsim::AstraBusRules{.latency = 50, .overhead = 5, .gap = 3};
    expect({17421, 18226, 17421, 16616});
}

TEST(AstraReplay, a_rendezvous_waits_for_the_receiver) {
    HandJob hand{2};
    hand.machine.rules.protocol = netsim::AstraProtocol::rendezvous;
    hand.hands[0].send(0, 1, 1000, 5);
    hand.hands[1].recorded(0, 3).receive(1, 0, 1000, 5, {0});
    // Its word of 8192 bytes goes at 3000.
    EXPECT_EQ(play(hand), (Ends{12192, 12192}));
}

TEST(AstraReplay, a_pool_of_memory_serves_one_after_the_other) {
    HandJob hand{4};
    for (HandTrace& rank : hand.hands) rank.load(0, 1000);
    hand.machine.memory = {AstraMemory::Kind::per_npu, 10, 10.0, 0, 0};
    AstraJob& job = hand.job();
    EXPECT_EQ(replay(job)[3].finish, 110);
    hand.machine.memory.kind = AstraMemory::Kind::pool;
    const std::vector<AstraRank> pool = replay(job);
    EXPECT_EQ(pool, replay_messages(job));
    for (std::size_t rank = 0; rank < 4; ++rank)
        EXPECT_EQ(pool[rank].finish, 110 * static_cast<Ticks>(rank + 1));
    // Nodes of two ranks.
    hand.machine.memory = {AstraMemory::Kind::per_node, 10, 10.0, 2, 2};
    EXPECT_EQ(replay(job)[3].finish, 220);
    EXPECT_EQ(replay(job)[2].finish, 110);
}

/// What ASTRA-sim 518bd51 says. The groups are alike, and the lowest ranks at their places belong to both.
TEST(AstraReplay, places_of_equal_groups_may_be_represented_by_ranks_of_different_ones) {
    using hardware::DimensionKind;
    HandJob hand{8};
    netsim::AstraSystem& system = hand.machine.system;
    system = {};
    system.add(netsim::AstraDimension::of_file(DimensionKind::fully_connected, 2, 50.0, 100.0));
    system.add(netsim::AstraDimension::of_file(DimensionKind::switched, 4, 25.0, 700.0));
    system.set_algorithms(std::array<netsim::AstraAlgorithm, 2>{});
    system.reduction_bandwidth = 100e9;
    hand.listed.add("1", {0, 1, 7});
    hand.listed.add("2", {5, 4, 2});
    for (const std::size_t rank : {0U, 1U, 7U, 5U, 4U, 2U}) {
        const bool first = rank < 2 || rank == 7;
        hand.hands[rank].collective(0, CommType::all_reduce, 60'000, first ? "1" : "2").recorded(1, 1, {0});
    }
    EXPECT_EQ(play(hand), (Ends{5811, 5811, 7484, 0, 5811, 5811, 0, 7484}));
}

/// What ASTRA-sim 518bd51 says: the ranks end a collective at the same tick, and the one whose event comes
/// first is served first.
TEST(AstraReplay, a_pool_serves_ranks_in_the_order_in_which_a_collective_lets_them_go) {
    const auto ends = [](hardware::Algorithm algorithm) {
        HandJob hand{4};
        netsim::AstraSystem& system = hand.machine.system;
        system = {};
        system.add(netsim::AstraDimension::of_file(hardware::DimensionKind::switched, 4, 50.0, 0.0));
        system.reduction_bandwidth = 100e9;
        system.set_algorithms(std::array{netsim::AstraAlgorithm{algorithm}});
        hand.machine.memory = {AstraMemory::Kind::pool, 1000, 10.0, 0, 0};
        for (HandTrace& rank : hand.hands) rank.collective(0, CommType::all_reduce, 4096).load(1, 100, {0});
        return play(hand);
    };
    EXPECT_EQ(ends(hardware::Algorithm::ring), (Ends{3304, 4314, 1284, 2294}));
    EXPECT_EQ(ends(hardware::Algorithm::direct), (Ends{3128, 4138, 1108, 2118}));
    EXPECT_EQ(ends(hardware::Algorithm::halving_doubling), (Ends{1204, 2214, 3224, 4234}));
}

TEST(AstraReplay, counts_messages_up_to_a_limit) {
    HandJob hand{4};
    for (HandTrace& rank : hand.hands) rank.collective(0, CommType::all_reduce, 4000).recorded(1, 1);
    hand.hands[0].send(2, 1, 10, 5);
    hand.hands[1].receive(2, 0, 10, 5);
    hand.machine.system.splits = 2;
    const AstraJob& job = hand.job();
    // Two chunks once around the ring and back on four ranks, and the message.
    EXPECT_EQ(count_messages(job, 1000), 2 * 4 * 2 * 3 + 1);
    EXPECT_EQ(count_messages(job, 7), 7);
}

TEST(AstraReplay, says_what_it_cannot_play) {
    using Make = std::function<void(HandJob&)>;
    const std::vector<std::pair<Make, const char*>> cases{
        {[](HandJob& h) { h.hands[0].load(3, 10); },
         "rank 0: record 2 (node 3 'n3'): it needs remote memory"},
        {[](HandJob& h) { h.hands[1].send(3, 1, 10, 0); }, "there is no other rank 1 to send to"},
        {[](HandJob& h) { h.hands[1].send(3, 9, 10, 0); }, "there is no other rank 9 to send to"},
        {[](HandJob& h) { h.hands[0].send(3, 1, 0, 0); }, "a message of no bytes"},
        {[](HandJob& h) { h.hands[0].collective(3, CommType::barrier, 1); }, "does not play a barrier"},
        {[](HandJob& h) { h.hands[0].collective(3, CommType::all_gather, 0); }, "cannot split 0 bytes"},
    };
    for (const auto& [make, text] : cases) {
        HandJob hand{2};
        make(hand);
        EXPECT_THAT(error_of(hand), HasSubstr(text));
    }
}

TEST(AstraReplay, never_hangs_but_says_who_waits_for_what) {
    HandJob lonely{3};
    lonely.hands[0].collective(0, CommType::all_reduce, 10);
    lonely.hands[1].collective(0, CommType::all_reduce, 10);
    EXPECT_THAT(error_of(lonely), HasSubstr("waits for these members to come: rank 2"));

    HandJob deaf{2};
    deaf.hands[1].receive(0, 0, 10, 4);
    EXPECT_THAT(error_of(deaf), HasSubstr("waits for 10 bytes from rank 0 under tag 4"));

    HandJob asleep{2};
    asleep.hands[0].metadata(0).recorded(1, 5, {0});
    EXPECT_THAT(error_of(asleep), HasSubstr("nodes that end as they begin"));

    HandJob quarrel{2};
    quarrel.hands[0].collective(0, CommType::all_reduce, 10);
    quarrel.hands[1].collective(0, CommType::all_gather, 10);
    EXPECT_THAT(error_of(quarrel), HasSubstr("ranks 0 and 1 meet in different collectives"));
}

TEST(AstraReplay, tells_what_begins_and_ends) {
    HandJob hand{2};
    for (HandTrace& rank : hand.hands) rank.recorded(0, 1).collective(1, CommType::all_gather, 100, "", {0});
    std::vector<std::string> told;
    replay_messages(hand.job(), [&](const NodeEvent& event) {
        if (event.rank != 1) return;
        told.push_back((event.kind == NodeEvent::Kind::issued ? "+" : "-") +
                       std::to_string(event.node.index()) + "@" + std::to_string(event.tick));
    });
    EXPECT_THAT(told, testing::ElementsAre("+0@0", "-0@1000", "+1@1000", "-1@1100"));
}

/// Random jobs: tensor and data groups, stages with messages between them, stragglers; on any network.
void fill(HandJob& hand, std::mt19937_64& random, std::int64_t inner, std::int64_t stages) {
    const auto ranks = std::ssize(hand.hands);
    const std::int64_t width = ranks / stages;
    std::int64_t name = 0;
    std::vector<std::string> group_of(static_cast<std::size_t>(ranks));
    for (std::int64_t first = 0; first < ranks; first += inner) {
        std::vector<std::int64_t> members;
        const std::string group = std::to_string(++name);
        for (std::int64_t i = 0; i < inner; ++i) {
            members.push_back(first + i);
            group_of[static_cast<std::size_t>(first + i)] = group;
        }
        if (inner > 1) hand.listed.add(group, members);
    }
    const bool straggler = random() % 2 == 0;
    const auto late = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(ranks));
    const bool everybody = random() % 2 == 0;
    const std::uint64_t seed = random();
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        std::mt19937_64 same{seed};  // ranks of a stage draw the same
        HandTrace& own = hand.hands[static_cast<std::size_t>(rank)];
        const std::int64_t stage = rank / width;
        std::uint64_t id = 0;
        for (std::int64_t batch = 0; batch < 4; ++batch) {
            const std::uint64_t micros = 1 + same() % 20 + (straggler && rank == late ? 7 : 0);
            const auto bytes = static_cast<std::int64_t>(1000 + same() % 50000);
            const CommType type = std::array{CommType::all_reduce, CommType::all_gather,
                                             CommType::reduce_scatter, CommType::all_to_all}[same() % 4];
            if (stage > 0) own.receive(id++, rank - width, bytes, batch * 100 + rank % width);
            own.recorded(id, micros, id > 0 && stage > 0 ? HandTrace::Ids{id - 1} : HandTrace::Ids{});
            if (inner > 1)
                own.collective(id + 1, type, bytes, group_of[static_cast<std::size_t>(rank)], {id});
            const std::uint64_t last = inner > 1 ? id + 1 : id;
            id = last + 1;
            if (stage + 1 < stages) own.send(id++, rank + width, bytes, batch * 100 + rank % width, {last});
        }
        if (everybody) own.collective(id, CommType::all_reduce, 64000, "", {id - 1});
    }
}

TEST(AstraReplay, is_certain_unless_ends_of_a_tick_meet) {
    // A kernel and a message end at 3000. Whether the message's kernel or the one with the higher id follows
    // is up to the order of events.
    HandJob hand{2};
    hand.hands[0].send(0, 1, 3000, 5);
    hand.hands[1].recorded(0, 3).receive(1, 0, 3000, 5).recorded(2, 4, {1}).recorded(3, 5, {0});
    EXPECT_FALSE(replay_if_certain(hand.job()));
    // At 3001 only one of them is ready.
    HandJob later{2};
    later.hands[0].send(0, 1, 3001, 5);
    later.hands[1].recorded(0, 3).receive(1, 0, 3001, 5).recorded(2, 4, {1}).recorded(3, 5, {0});
    const AstraJob& job = later.job();
    const auto ranks = replay_if_certain(job);
    ASSERT_TRUE(ranks);
    EXPECT_EQ(*ranks, replay_messages(job));
    EXPECT_EQ(ranks->back().finish, 12000) << "3 and 5 µs, then 4";
    // A network on which messages meet.
    later.machine.rules.network = netsim::AstraNetwork::aware;
    EXPECT_FALSE(replay_if_certain(job));
}

TEST(AstraReplay, is_certain_of_collectives_over_several_dimensions_unless_chunks_may_overtake) {
    const auto of = [](std::uint64_t late, std::int64_t chunks, const char* algorithm) {
        HandJob plane{4};
        plane.machine.system = {};
        for (int i = 0; i < 2; ++i)
            plane.machine.system.add({hardware::DimensionKind::fully_connected, 2, 1.0, 0.0});
        const netsim::AstraAlgorithm own = netsim::parse_astra_algorithm(algorithm);
        plane.machine.system.set_algorithms(std::array{own, own});
        plane.machine.system.splits = chunks;
        for (HandTrace& rank : plane.hands)
            rank.recorded(0, &rank == &plane.hands[3] ? 2 + late : 2)
                .collective(1, CommType::all_reduce, 4000, "", {0});
        const AstraJob& job = plane.job();
        const auto ranks = replay_if_certain(job);
        EXPECT_EQ(ranks.value_or(replay(job)), replay_messages(job));
        return ranks.has_value();
    };
    EXPECT_TRUE(of(0, 2, "ring"));
    EXPECT_TRUE(of(1, 1, "ring")) << "no chunk can overtake another one";
    EXPECT_FALSE(of(1, 2, "ring"));
    EXPECT_TRUE(of(0, 1, "direct"));
    EXPECT_FALSE(of(1, 1, "direct"))
        << "the middle phase returns results when the last contribution is there";
}

TEST(AstraReplay, is_not_certain_of_members_that_meet_in_different_collectives) {
    HandJob hand{2};
    hand.hands[0].collective(0, CommType::all_reduce, 10);
    hand.hands[1].collective(0, CommType::all_gather, 10);
    EXPECT_FALSE(replay_if_certain(hand.job()));
}

TEST(AstraReplay, folded_and_solved_is_what_every_message_says) {
    std::mt19937_64 random{7};
    int certain = 0;
    for (int round = 0; round < 120; ++round) {
        constexpr std::array kinds{hardware::DimensionKind::ring, hardware::DimensionKind::switched,
                                   hardware::DimensionKind::fully_connected};
        HandJob hand{16};
        netsim::AstraSystem system;
        const bool plane = random() % 2 == 0;
        for (const std::int64_t npus :
             plane ? std::vector<std::int64_t>{4, 4} : std::vector<std::int64_t>{16})
            system.add({kinds[random() % 3], npus, static_cast<double>(1 + random() % 9),
                        static_cast<double>(random() % 300)});
        const std::array algorithms{netsim::parse_astra_algorithm("ring"),
                                    netsim::parse_astra_algorithm(random() % 3 == 0 ? "direct" : "ring")};
        system.set_algorithms({algorithms.data() + (plane ? 0 : 1), plane ? 2U : 1U});
        system.splits = static_cast<std::int64_t>(1 + random() % 4);
        system.active_chunks = static_cast<std::int64_t>(1 + random() % 2);
        system.endpoint_delay = static_cast<std::int64_t>(random() % 20);
        system.reduction_bandwidth = random() % 2 == 0 ? 0.0 : 100e9;
        hand.machine.system = system;
        fill(hand, random, std::int64_t{1} << random() % 4, std::int64_t{1} << random() % 2);
        const AstraJob& job = hand.job();
        const std::vector<AstraRank> ranks = replay_messages(job);
        EXPECT_EQ(replay(job), ranks) << "round " << round;
        const auto solved = replay_if_certain(job);
        certain += solved ? 1 : 0;
        EXPECT_EQ(solved.value_or(ranks), ranks) << "round " << round;
    }
    EXPECT_GT(certain, 60);
}

}  // namespace
}  // namespace dse::sim::replay
