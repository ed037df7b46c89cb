// Also tests: prefix_groups.cpp
#include "dse/serving/draw_prefixes.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/serving/deployment.hpp"
#include "dse/serving/draw_requests.hpp"
#include "serving/flat_costs.hpp"

namespace dse::serving {
namespace {

graph::Traffic traffic_of(std::int64_t prefix, std::int64_t prefixes) {
    graph::Traffic traffic;
    traffic.rate = graph::Frequency{10.0};
    traffic.requests = 4'000;
    traffic.prompt = 8;
    traffic.prefix = prefix;
    traffic.prefixes = prefixes;
    return traffic;
}

Requests drawn_of(const graph::Traffic& traffic) {
    Requests requests = draw_requests(traffic, 1);
    draw_prefixes(traffic, 1, 16, requests);
    return requests;
}

std::vector<std::uint32_t> pieces_of(const Requests& requests, std::size_t i) {
    return {requests.pieces.begin() + requests.first_piece[i],
            requests.pieces.begin() + requests.first_piece[i + 1]};
}

/// 40 tokens are two whole pages of 16, and 8 tokens that no page holds alone.
TEST(DrawPrefixes, PromptsBeginWithThem) {
    const Requests requests = drawn_of(traffic_of(40, 2));
    ASSERT_EQ(requests.first_piece.size(), 4'001U);
    EXPECT_EQ(requests.piece_names, 4U);
    EXPECT_EQ(requests.piece_tokens, 16);
    int first = 0;
    for (std::size_t i = 0; i < 4'000; ++i) {
        EXPECT_EQ(requests.all[i].prompt, 48);
        const std::vector<std::uint32_t> pieces = pieces_of(requests, i);
        const bool is_first = pieces == std::vector<std::uint32_t>{0, 1};
        EXPECT_TRUE(is_first || (pieces == std::vector<std::uint32_t>{2, 3}));
        first += is_first ? 1 : 0;
    }
    EXPECT_NEAR(first, 2'000, 100);
}

/// 3 of 4 without one; 1 : 1/2 of the others.
TEST(DrawPrefixes, SomeAreUsedMoreOften) {
    graph::Traffic traffic = traffic_of(16, 2);
    traffic.prefix_share = 0.25;
    traffic.prefix_skew = 1.0;
    const Requests requests = drawn_of(traffic);
    EXPECT_NEAR(static_cast<double>(requests.pieces.size()), 1'000.0, 80.0);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(requests.pieces, 0U)), 667.0, 80.0);
    EXPECT_EQ(std::ranges::count(requests.all, 24, &Request::prompt), std::ssize(requests.pieces));
}

/// Caches and routers keep something for each name: of a million beginnings, those of 4,000 requests.
TEST(DrawPrefixes, NamesOnlyWhatIsDrawn) {
    const Requests requests = drawn_of(traffic_of(16, 1'000'000));
    EXPECT_EQ(requests.pieces.size(), 4'000U);
    EXPECT_LE(requests.piece_names, 4'000U);
    EXPECT_GT(requests.piece_names, 3'900U) << "few are drawn twice";
    EXPECT_LT(std::ranges::max(requests.pieces), requests.piece_names);
}

TEST(DrawPrefixes, NoneHasOneWhereTheShareIsZero) {
    graph::Traffic traffic = traffic_of(16, 2);
    traffic.prefix_share = 0.0;
    EXPECT_TRUE(drawn_of(traffic).pieces.empty());
}

TEST(DrawPrefixes, ChangesNothingElse) {
    Requests with = drawn_of(traffic_of(40, 3));
    const Requests without = drawn_of(traffic_of(0, 1));
    EXPECT_TRUE(without.first_piece.empty());
    for (Request& request : with.all) request.prompt -= 40;
    EXPECT_EQ(with.all, without.all);
}

TEST(DrawPrefixes, ClassesHaveTheirOwn) {
    graph::Traffic traffic = traffic_of(0, 1);
    traffic.prompt = graph::Traffic{}.prompt;
    traffic.classes.resize(3);
    for (std::size_t i = 0; i < 3; ++i) traffic.classes[i].name = std::string(1, static_cast<char>('a' + i));
    traffic.classes[0].prefix = 32;
    traffic.classes[2].prefix = 16;
    traffic.classes[2].prefixes = 2;
    const Requests requests = drawn_of(traffic);
    std::set<std::vector<std::uint32_t>> of_class[3];
    for (std::size_t i = 0; i < requests.all.size(); ++i)
        of_class[requests.all[i].kind].insert(pieces_of(requests, i));
    EXPECT_THAT(of_class[0], ::testing::ElementsAre(std::vector<std::uint32_t>{0, 1}));
    EXPECT_THAT(of_class[1], ::testing::ElementsAre(std::vector<std::uint32_t>{}));
    EXPECT_THAT(of_class[2],
                ::testing::ElementsAre(std::vector<std::uint32_t>{2}, std::vector<std::uint32_t>{3}));
}

/// One client after the other: the second and the third request find 32 of their 48 tokens.
TEST(DrawPrefixes, CachesKeepThem) {
    graph::Traffic traffic = traffic_of(40, 1);
    traffic.requests = 3;
    Requests requests = drawn_of(traffic);
    Deployment deployment;
    deployment.limits.pages = 20;
    deployment.limits.page_tokens = 16;
    deployment.limits.engine.prefix_cache = true;
    deployment.clients = 1;
    FlatCosts costs{100};
    const Outcome outcome = serve(deployment, costs, requests, {});
    EXPECT_EQ(outcome.cached_tokens, 2 * 32);
    EXPECT_EQ(outcome.admitted_tokens, 3 * 48);
}

TEST(DrawPrefixes, RefusesMoreThanItCanKeep) {
    Requests requests = draw_requests(traffic_of(0, 1), 1);
    EXPECT_THROW(draw_prefixes(traffic_of(1'000'000, 10'000), 1, 16, requests), ModelError);
}

}  // namespace
}  // namespace dse::serving
