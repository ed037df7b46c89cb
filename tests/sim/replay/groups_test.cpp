#include "dse/sim/replay/groups.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "sim/replay/hand_job.hpp"

namespace dse::sim::replay {
namespace {

using testing::HasSubstr;

TEST(AstraGroups, are_what_the_file_says_and_all_where_nothing_is_said) {
    HandJob hand{4};
    hand.listed.add("7", {2, 0});
    hand.listed.add("8", {3, 2, 1, 0});
    hand.hands[0].collective(0, CommType::all_reduce, 8, "7").collective(1, CommType::all_reduce, 8, "0");
    hand.hands[2].collective(0, CommType::all_reduce, 8, "8").collective(1, CommType::all_reduce, 8, "7");
    const AstraGroups& groups = hand.job().groups;
    EXPECT_EQ(groups.of(0, trace::chakra::TraceStep::none), AstraGroups::all);
    EXPECT_EQ(groups.of(0, 1), AstraGroups::all);
    EXPECT_EQ(groups.of(0, 0), groups.of(2, 1)) << "one group, as either rank knows it";
    const netsim::AstraMembers& pair = groups.groups()[groups.of(0, 0)];
    EXPECT_EQ(pair.ranks, (std::vector<std::int64_t>{2, 0})) << "in the order of the file";
    EXPECT_EQ(pair.first_stream, 7'000'000);
    const netsim::AstraMembers& everybody = groups.groups()[groups.of(2, 0)];
    EXPECT_TRUE(everybody.ranks.empty()) << "all ranks, in whatever order, are all ranks";
    EXPECT_EQ(everybody.first_stream, 8'000'000);
}

std::string error_of(HandJob& hand) {
    try {
        hand.job();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(AstraGroups, refuse_what_astra_sim_could_not_play) {
    HandJob unknown{2};
    unknown.hands[1].collective(0, CommType::all_reduce, 8, "5");
    EXPECT_THAT(error_of(unknown), HasSubstr("hand.1.et': group '5' stands in no file"));

    HandJob stranger{3};
    stranger.listed.add("5", {0, 1});
    stranger.hands[2].collective(0, CommType::all_reduce, 8, "5");
    EXPECT_THAT(error_of(stranger), HasSubstr("rank 2 is not a member of group '5'"));

    HandJob named{2};
    named.listed.add("tp", {0, 1});
    named.hands[0].collective(0, CommType::all_reduce, 8, "tp");
    EXPECT_THAT(error_of(named), HasSubstr("numbers for names"));
}

}  // namespace
}  // namespace dse::sim::replay
