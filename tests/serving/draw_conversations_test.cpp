#include "dse/serving/draw_conversations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::serving {
namespace {

using graph::Frequency;

constexpr std::int64_t page = 4;

/// One conversation a second, of three messages of 8 tokens with answers of 4, 10 s apart.
graph::Traffic chats() {
    graph::Traffic traffic;
    traffic.arrivals = graph::Arrivals::fixed;
    traffic.rate = Frequency{3.0};
    traffic.requests = 300;
    traffic.prompt = 8;
    traffic.output = 4;
    traffic.turns = 3;
    traffic.turn_gap = Seconds{10.0};
    return traffic;
}

std::vector<std::uint32_t> pieces_of(const Requests& requests, std::size_t i) {
    return {requests.pieces.begin() + requests.first_piece[i],
            requests.pieces.begin() + requests.first_piece[i + 1]};
}

/// Requests by conversation, which the name of its first page tells.
std::map<std::uint32_t, std::vector<std::size_t>> conversations_of(const Requests& requests) {
    std::map<std::uint32_t, std::vector<std::size_t>> conversations;
    for (std::size_t i = 0; i < requests.all.size(); ++i)
        conversations[pieces_of(requests, i).front()].push_back(i);
    return conversations;
}

/// Prompts of 8, 20 and 32 tokens; with their answers they fill 3, 6 and 9 pages.
TEST(DrawConversations, TurnsBeginWithAllThatWasSaid) {
    const Requests requests = draw_conversations(chats(), 1, page);
    ASSERT_EQ(requests.all.size(), 300U);
    EXPECT_TRUE(requests.names_answers);
    EXPECT_EQ(requests.piece_tokens, page);
    EXPECT_LT(std::ranges::max(requests.pieces), requests.piece_names);
    EXPECT_TRUE(std::ranges::is_sorted(requests.all, {}, &Request::arrival));
    int whole = 0;
    for (const auto& [first, turns] : conversations_of(requests)) {
        for (std::size_t k = 0; k < turns.size(); ++k) {
            const Request& turn = requests.all[turns[k]];
            EXPECT_EQ(pieces_of(requests, turns[k]).size(), static_cast<std::size_t>(turn.prompt + 4) / 4);
            if (k == 0) continue;
            EXPECT_EQ(turn.prompt, requests.all[turns[k - 1]].prompt + 12);
            EXPECT_NEAR(to_seconds(turn.arrival - requests.all[turns[k - 1]].arrival), 10.0, 1e-9);
            const auto before = pieces_of(requests, turns[k - 1]);
            const auto pieces = pieces_of(requests, turns[k]);
            EXPECT_TRUE(std::ranges::equal(before, std::span{pieces}.first(before.size())));
        }
        whole += turns.size() == 3 ? 1 : 0;
    }
    EXPECT_GT(whole, 70);
}

/// Each is whole but the last, and its requests follow one another, 10 s after the answers before.
TEST(DrawConversations, ClientsHaveOneAtATime) {
    graph::Traffic traffic = chats();
    traffic.rate = Frequency{0.0};
    traffic.clients = 4;
    traffic.requests = 8;
    const Requests requests = draw_conversations(traffic, 1, page);
    ASSERT_EQ(requests.all.size(), 8U);
    const Ticks gap = to_ticks(10.0);
    EXPECT_THAT(requests.pauses, ::testing::ElementsAre(never, gap, gap, never, gap, gap, never, gap));
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(requests.all[i].prompt, std::vector({8, 20, 32})[i % 3]);
        EXPECT_EQ(requests.all[i].arrival, 0);
        EXPECT_EQ(requests.continues(i), i % 3 > 0);
    }
    const auto last = pieces_of(requests, 4);
    const auto next = pieces_of(requests, 5);
    EXPECT_TRUE(std::ranges::equal(last, std::span{next}.first(last.size())));
    EXPECT_NE(pieces_of(requests, 3).front(), pieces_of(requests, 0).front());
}

/// The rate is that of requests from the start on: conversations are under way, some at their last turn.
TEST(DrawConversations, SomeAreUnderWayAtTheStart) {
    const Requests requests = draw_conversations(chats(), 1, page);
    const auto in_time = [&](double from, double to) {
        return std::ranges::count_if(requests.all, [&](const Request& request) {
            return request.arrival >= to_ticks(from) && request.arrival < to_ticks(to);
        });
    };
    EXPECT_NEAR(static_cast<double>(in_time(0.0, 10.0)), 30.0, 3.0);
    EXPECT_NEAR(static_cast<double>(in_time(50.0, 60.0)), 30.0, 3.0);
    const auto last = std::ranges::find(requests.all, 32, &Request::prompt);
    ASSERT_NE(last, requests.all.end());
    EXPECT_LT(last->arrival, to_ticks(2.0));
}

/// At twice the rate people do not think faster: as long between two turns.
TEST(DrawConversations, RatesChangeTheirNumber) {
    graph::Traffic traffic = chats();
    traffic.rate = Frequency{6.0};
    const Requests requests = draw_conversations(traffic, 1, page);
    EXPECT_NEAR(to_seconds(requests.all.back().arrival), 50.0, 2.0);
    for (const auto& [first, turns] : conversations_of(requests)) {
        if (turns.size() < 2) continue;
        EXPECT_NEAR(to_seconds(requests.all[turns[1]].arrival - requests.all[turns[0]].arrival), 10.0, 1e-9);
    }
}

/// Half of the requests are of each class, so that conversations of four turns begin a quarter as often.
TEST(DrawConversations, SharesOfClassesAreThoseOfRequests) {
    graph::Traffic traffic;
    traffic.rate = Frequency{10.0};
    traffic.requests = 4'000;
    traffic.classes.resize(2);
    traffic.classes[0].name = "chat";
    traffic.classes[0].turns = 4;
    traffic.classes[0].turns_spread = 0.5;
    traffic.classes[0].turn_gap = Seconds{5.0};
    traffic.classes[0].turn_gap_spread = 1.0;
    traffic.classes[0].prompt = 100;
    traffic.classes[0].priority = 2;
    traffic.classes[1].name = "search";
    const Requests requests = draw_conversations(traffic, 3, page);
    const auto chats = std::ranges::count(requests.all, 0, &Request::kind);
    EXPECT_NEAR(static_cast<double>(chats), 2'000.0, 150.0);
    EXPECT_NEAR(to_seconds(requests.all.back().arrival), 400.0, 30.0);
    for (const Request& request : requests.all) EXPECT_EQ(request.priority, request.kind == 0 ? 2 : 0);
}

/// About two turns with a spread of 1.5: two in five conversations would have less than half a turn, and have
/// one, so that the mean is 2.38. 20,000 requests at 10 a second nevertheless take 2,000 s.
TEST(DrawConversations, KeepTheRateOfRequestsWhereMostHaveOneTurn) {
    graph::Traffic traffic = chats();
    traffic.rate = Frequency{10.0};
    traffic.requests = 20'000;
    traffic.turns = 2;
    traffic.turns_spread = 1.5;
    const Requests requests = draw_conversations(traffic, 1, page);
    EXPECT_NEAR(to_seconds(requests.all.back().arrival), 2'000.0, 80.0);
}

/// A run of 10 s sees one or two turns of each conversation of about 50 messages, 10 s apart.
TEST(DrawConversations, NameThePagesThatRequestsHave) {
    graph::Traffic traffic = chats();
    traffic.requests = 30;
    traffic.turns = 50;
    traffic.turns_spread = 1.0;
    const Requests requests = draw_conversations(traffic, 1, page);
    const std::set<std::uint32_t> named(requests.pieces.begin(), requests.pieces.end());
    EXPECT_EQ(named.size(), requests.piece_names);
}

/// Of 10 tokens two pages are whole; the third holds the beginning of each conversation, too.
TEST(DrawConversations, BeginWithPrefixes) {
    graph::Traffic traffic = chats();
    traffic.prefix = 10;
    const Requests requests = draw_conversations(traffic, 1, page);
    EXPECT_EQ(std::ranges::min(requests.all, {}, &Request::prompt).prompt, 18);
    std::set<std::uint32_t> thirds;
    for (std::size_t i = 0; i < requests.all.size(); ++i) {
        const auto pieces = pieces_of(requests, i);
        EXPECT_EQ(pieces[0], 0U);
        EXPECT_EQ(pieces[1], 1U);
        thirds.insert(pieces[2]);
    }
    EXPECT_GT(thirds.size(), 100U);
}

/// Of a log-normal number with mean 2 and spread 1.5, 43 % would be no whole turn, and are one.
TEST(DrawConversations, RatesCountTurnsAsTheyAreDrawn) {
    graph::Traffic traffic = chats();
    traffic.turns = 2;
    traffic.turns_spread = 1.5;
    traffic.requests = 40'000;
    const Requests requests = draw_conversations(traffic, 1, page);
    EXPECT_NEAR(40'000.0 / to_seconds(requests.all.back().arrival), 3.0, 0.1);
}

/// 120,000 conversations of 200 turns are under way, or begin in the run: the pages of most are never sent.
TEST(DrawConversations, NameOnlyPagesThatAreSent) {
    graph::Traffic traffic = chats();
    traffic.arrivals = graph::Arrivals::poisson;
    traffic.turns = 200;
    traffic.turn_gap = Seconds{4e4};
    const Requests requests = draw_conversations(traffic, 1, page);
    ASSERT_EQ(requests.all.size(), 300U);
    EXPECT_NEAR(to_seconds(requests.all.back().arrival), 100.0, 20.0);
    EXPECT_LE(requests.piece_names, requests.pieces.size());
    EXPECT_TRUE(std::ranges::is_sorted(requests.all, {}, &Request::arrival));
}

TEST(DrawConversations, RefusesWhatHasNoMeaning) {
    graph::Traffic traffic = chats();
    traffic.turn_gap = Seconds{0.0};
    EXPECT_THROW(draw_conversations(traffic, 1, page), ModelError);
    traffic = chats();
    traffic.rate = Frequency{1e-6};
    EXPECT_THROW(draw_conversations(traffic, 1, page), ModelError) << "longer than a run may last";
    traffic = chats();
    traffic.turn_gap = Seconds{1e9};
    EXPECT_THROW(draw_conversations(traffic, 1, page), ModelError) << "too many are under way";
}

/// At the first request, 1,000 a second have been under way for up to 90,000 s.
TEST(DrawConversations, RefuseMoreTurnsThanCanBeDrawn) {
    graph::Traffic traffic = chats();
    traffic.rate = Frequency{1'000.0};
    traffic.turns = 10;
    traffic.turn_gap = Seconds{10'000.0};
    EXPECT_THAT(
        [&] { return draw_conversations(traffic, 1, page); },
        testing::ThrowsMessage<ModelError>(testing::HasSubstr("under way when the run begins have had")));
}

}  // namespace
}  // namespace dse::serving
