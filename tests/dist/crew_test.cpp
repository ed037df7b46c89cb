#include "dist/crew.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/dist/local_channel.hpp"

namespace dse::dist {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Rank 0 of four.
class CrewTest : public testing::Test {
  protected:
    [[nodiscard]] std::vector<MessageKind> received(int rank) {
        std::vector<MessageKind> kinds;
        const auto channel = network_.channel(rank);
        while (const auto message = channel->try_receive()) kinds.push_back(message->kind);
        return kinds;
    }

    LocalNetwork network_{4};
    std::unique_ptr<Channel> channel_{network_.channel(0)};
    Crew crew_{*channel_};
};

TEST_F(CrewTest, KnowsWhoWasMentioned) {
    EXPECT_EQ(crew_.known(), 0);
    EXPECT_FALSE(crew_.is_open());
    crew_[2].heard();
    EXPECT_EQ(crew_.known(), 1);
    EXPECT_FALSE(crew_.is_complete());
    crew_.expect_all();
    EXPECT_EQ(crew_.known(), 3);
    EXPECT_TRUE(crew_.is_complete());
    EXPECT_TRUE(crew_.is_open());
    std::vector<int> ranks;
    for (const auto& [rank, worker] : crew_) ranks.push_back(rank);
    EXPECT_THAT(ranks, ElementsAre(1, 2, 3));
}

TEST_F(CrewTest, CountsTheActiveAndTheLost) {
    crew_.expect_all();
    crew_[1].close();
    EXPECT_EQ(crew_.active(), 2);
    crew_[2].lose();
    EXPECT_EQ(crew_.active(), 1);
    EXPECT_EQ(crew_.lost(), 1);
    crew_[2].heard();
    EXPECT_EQ(crew_.lost(), 0);
    crew_[2].close();
    crew_[3].lose();
    EXPECT_FALSE(crew_.is_open()) << "closed or lost";
}

TEST_F(CrewTest, SaysWhetherIndicesAreOut) {
    crew_.expect_all();
    EXPECT_FALSE(crew_.holds_leases());
    crew_[3].lease({0, 10});
    EXPECT_TRUE(crew_.holds_leases());
    crew_[3].evaluated({0, 10}, 1.0);
    EXPECT_TRUE(crew_.holds_leases()) << "rows that are not on disk";
    crew_[3].committed({0, 10});
    EXPECT_FALSE(crew_.holds_leases());
}

TEST_F(CrewTest, TellsEverybodyWhoIsThereAndNotClosed) {
    crew_[1].close();
    crew_[2].lose();  // may only have been slow
    crew_.tell_all(MessageKind::finish);
    EXPECT_THAT(received(1), IsEmpty());
    EXPECT_THAT(received(2), ElementsAre(MessageKind::finish));
    EXPECT_THAT(received(3), IsEmpty()) << "never mentioned";
}

TEST_F(CrewTest, SendsRangesAndHowManyAreGone) {
    crew_[1].lose();
    crew_.send(3, MessageKind::lease, {7, 5});
    const auto message = network_.channel(3)->try_receive();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->kind, MessageKind::lease);
    EXPECT_EQ(message->range, (Range{7, 5}));
    EXPECT_EQ(message->lost, 1);
    EXPECT_EQ(message->sender, 0);
}

}  // namespace
}  // namespace dse::dist
