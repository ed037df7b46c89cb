#include "dse/serving/closed_loop.hpp"

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

/// Three conversations, of two, one and two requests.
Requests three_conversations() {
    Requests requests;
    requests.all.resize(5);
    requests.pauses = {never, 3, never, never, 7};
    return requests;
}

TEST(ClosedLoop, AConversationGoesOnBeforeAnotherBegins) {
    const Requests requests = three_conversations();
    ClosedLoop turns{requests, 0, 1};
    EXPECT_EQ(turns.count(), 5U);
    const auto is = [](const auto& next, std::size_t place, Ticks pause) {
        return next && next->place == place && next->pause == pause;
    };
    EXPECT_TRUE(is(turns.after(std::nullopt), 0, 0));
    EXPECT_TRUE(is(turns.after(std::nullopt), 2, 0)) << "another client";
    EXPECT_TRUE(is(turns.after(0), 1, 3));
    EXPECT_TRUE(is(turns.after(2), 3, 0));
    EXPECT_TRUE(is(turns.after(3), 4, 7));
    EXPECT_FALSE(turns.after(4));
    EXPECT_FALSE(turns.after(1));
}

TEST(ClosedLoop, ConversationsAreSharedOut) {
    const Requests requests = three_conversations();
    ClosedLoop first{requests, 0, 2};
    ClosedLoop second{requests, 1, 2};
    EXPECT_EQ(first.count(), 4U);
    EXPECT_EQ(second.count(), 1U);
    EXPECT_EQ(second.after(std::nullopt)->place, 2U);
    EXPECT_FALSE(second.after(2));
    EXPECT_EQ(first.after(std::nullopt)->place, 0U);
    EXPECT_EQ(first.after(1)->place, 3U);
}

TEST(ClosedLoop, WithoutConversationsWhoeverIsFreeSendsTheFirstUnsentRequest) {
    Requests requests;
    requests.all.resize(5);
    ClosedLoop loop{requests, 1, 2};
    EXPECT_EQ(loop.count(), 2U) << "requests 1 and 3";
    EXPECT_EQ(ClosedLoop(requests, 5, 6).count(), 0U);
    const auto next = loop.after(std::nullopt);
    ASSERT_TRUE(next);
    EXPECT_FALSE(next->place);
    EXPECT_EQ(next->pause, 0);
    EXPECT_TRUE(loop.after(3));
}

}  // namespace
}  // namespace dse::serving
