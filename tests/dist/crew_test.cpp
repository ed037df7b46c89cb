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
    crew_.change(2, &Leaseholder::heard);
    EXPECT_EQ(crew_.known(), 1);
    EXPECT_FALSE(crew_.is_complete());
    crew_.expect_all();
    EXPECT_EQ(crew_.known(), 3);
    EXPECT_EQ(crew_.active(), 3);
    EXPECT_TRUE(crew_.is_complete());
    EXPECT_TRUE(crew_.is_open());
}

TEST_F(CrewTest, CountsTheActiveAndTheLost) {
    crew_.expect_all();
    crew_.change(1, &Leaseholder::close);
    EXPECT_EQ(crew_.active(), 2);
    crew_.change(2, &Leaseholder::lose);
    EXPECT_EQ(crew_.active(), 1);
    EXPECT_EQ(crew_.lost(), 1);
    crew_.change(2, &Leaseholder::lose);
    EXPECT_EQ(crew_.lost(), 1) << "counted once";
    crew_.change(2, &Leaseholder::heard);
    EXPECT_EQ(crew_.lost(), 0);
    EXPECT_EQ(crew_.active(), 2);
    crew_.change(2, &Leaseholder::close);
    crew_.change(3, &Leaseholder::lose);
    EXPECT_FALSE(crew_.is_open()) << "closed or lost";
}

TEST_F(CrewTest, SaysWhetherIndicesAreOut) {
    crew_.expect_all();
    EXPECT_FALSE(crew_.holds_leases());
    crew_.change(3, [](Leaseholder& worker) { worker.lease({0, 10}); });
    EXPECT_TRUE(crew_.holds_leases());
    crew_.change(3, [](Leaseholder& worker) { worker.evaluated({0, 10}, 1.0); });
    EXPECT_TRUE(crew_.holds_leases()) << "rows that are not on disk";
    EXPECT_EQ(crew_.rate(3), 10.0);
    crew_.change(3, [](Leaseholder& worker) { worker.committed({0, 10}); });
    EXPECT_FALSE(crew_.holds_leases());
}

TEST_F(CrewTest, NamesThoseWhoWantLeasesInTurn) {
    EXPECT_EQ(crew_.next_without_lease(), std::nullopt);
    const auto lease = [&](int rank) {
        crew_.change(rank, [](Leaseholder& worker) { worker.lease({0, 1}); });
    };
    crew_.change(2, &Leaseholder::heard);
    crew_.change(1, &Leaseholder::heard);
    EXPECT_EQ(crew_.next_without_lease(), 2);
    lease(2);
    EXPECT_EQ(crew_.next_without_lease(), 2) << "two at a time";
    lease(2);
    EXPECT_EQ(crew_.next_without_lease(), 1);
    crew_.change(1, &Leaseholder::lose);
    EXPECT_EQ(crew_.next_without_lease(), std::nullopt);
    crew_.change(2, [](Leaseholder& worker) { worker.evaluated({0, 1}, 1.0); });
    crew_.change(1, &Leaseholder::heard);
    EXPECT_EQ(crew_.next_without_lease(), 2);
    lease(2);
    EXPECT_EQ(crew_.next_without_lease(), 1) << "who is back";
}

TEST_F(CrewTest, FindsTheSilentAmongTheActive) {
    crew_.expect_all();
    crew_.change(1, &Leaseholder::close);
    crew_.change(3, &Leaseholder::lose);
    EXPECT_THAT(crew_.silent(std::chrono::hours{1}), IsEmpty());
    EXPECT_THAT(crew_.silent(std::chrono::nanoseconds{-1}), ElementsAre(2));
}

TEST_F(CrewTest, TellsEverybodyWhoIsThereAndNotClosed) {
    crew_.change(1, &Leaseholder::close);
    crew_.change(2, &Leaseholder::lose);  // may only have been slow
    crew_.tell_all(MessageKind::finish);
    EXPECT_THAT(received(1), IsEmpty());
    EXPECT_THAT(received(2), ElementsAre(MessageKind::finish));
    EXPECT_THAT(received(3), IsEmpty()) << "never mentioned";
}

TEST_F(CrewTest, SendsRangesAndHowManyAreGone) {
    crew_.change(1, &Leaseholder::lose);
    crew_.send(3, MessageKind::lease, {7, 5}, "points");
    const auto message = network_.channel(3)->try_receive();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->kind, MessageKind::lease);
    EXPECT_EQ(message->range, (Range{7, 5}));
    EXPECT_EQ(message->lost, 1);
    EXPECT_EQ(message->sender, 0);
    EXPECT_EQ(message->body, "points");
}

}  // namespace
}  // namespace dse::dist
