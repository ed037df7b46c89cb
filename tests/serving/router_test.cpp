#include "serving/router.hpp"

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

/// Prompts of the pieces 0 1 2, 0 1 3 and 4.
Requests three_prompts() {
    Requests requests;
    requests.all.resize(3);
    requests.first_piece = {0, 3, 6, 7};
    requests.pieces = {0, 1, 2, 0, 1, 3, 4};
    requests.piece_names = 5;
    return requests;
}

TEST(Router, SendsToTheLeastLoaded) {
    const Requests requests = three_prompts();
    RequestRouter router{graph::Router::least_loaded, requests, 3};
    EXPECT_EQ(router.choose(0, {2, 1, 1}), 1U) << "of equals the first";
    EXPECT_EQ(router.choose(1, {2, 1, 0}), 2U) << "whatever it knows";
}

TEST(Router, SendsToWhoKnowsThePrefix) {
    const Requests requests = three_prompts();
    RequestRouter router{graph::Router::prefix, requests, 3};
    EXPECT_EQ(router.choose(0, {2, 0, 1}), 1U) << "nobody knows it";
    EXPECT_EQ(router.choose(1, {2, 3, 1}), 1U) << "two of three pieces";
    EXPECT_EQ(router.choose(2, {2, 4, 1}), 2U);
    // More than 64 and more than half as many more apart: to the least loaded, that knows it from then on.
    EXPECT_EQ(router.choose(1, {2, 67, 1}), 2U);
    EXPECT_EQ(router.choose(1, {2, 66, 3}), 2U) << "of those who know all of it the least loaded";
    EXPECT_EQ(router.choose(0, {2, 66, 3}), 1U) << "63 apart";
}

/// A prompt of ten pieces, of which the first three have names: three of ten are not more than 0.3 of it.
TEST(Router, PromptsAreLongerThanTheirPrefixes) {
    Requests requests;
    requests.piece_tokens = 4;
    requests.all.assign(2, Request{0, 40, 1});
    requests.first_piece = {0, 3, 6};
    requests.pieces = {0, 1, 2, 0, 1, 2};
    requests.piece_names = 3;
    RequestRouter router{graph::Router::prefix, requests, 2};
    EXPECT_EQ(router.choose(0, {0, 1}), 0U);
    EXPECT_EQ(router.choose(1, {2, 1}), 1U);
    requests.all.assign(2, Request{0, 36, 1});
    RequestRouter other{graph::Router::prefix, requests, 2};
    EXPECT_EQ(other.choose(0, {0, 1}), 0U);
    EXPECT_EQ(other.choose(1, {2, 1}), 0U) << "three of nine are";
}

/// The second continues the first, and the fourth the second; the third begins as they do, and goes on
/// otherwise.
TEST(Router, KeepsSessionsWithTheirReplica) {
    Requests requests;
    for (const std::int32_t prompt : {9, 13, 12, 16, 3, 3}) requests.all.push_back({0, prompt, 1});
    requests.piece_tokens = 4;
    requests.first_piece = {0, 3, 7, 10, 14, 15, 16};
    requests.pieces = {0, 1, 5, 0, 1, 2, 6, 0, 3, 4, 0, 1, 2, 7, 8, 8};
    requests.piece_names = 9;
    EXPECT_EQ(sessions_of(requests), (std::vector<std::uint32_t>{0, 0, 1, 0, 2, 3}))
        << "a piece that a prompt does not fill ends nothing";
    RequestRouter router{graph::Router::session, requests, 2};
    EXPECT_EQ(router.choose(0, {1, 0}), 1U) << "new: the least loaded";
    EXPECT_EQ(router.choose(1, {0, 9}), 1U) << "continues";
    EXPECT_EQ(router.choose(2, {0, 9}), 0U);
    EXPECT_EQ(router.choose(3, {0, 99}), 1U) << "whatever the load";
}

/// A system prompt fills piece 0, and a prompt of it alone comes first: after eight others it is known to be
/// nobody's turn in particular.
TEST(Router, TellsACommonBeginningFromASession) {
    Requests requests;
    requests.piece_tokens = 4;
    requests.piece_names = 20;
    const auto add = [&](std::vector<std::uint32_t> pieces) {
        requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
        requests.all.push_back({0, static_cast<std::int32_t>(4 * pieces.size()), 1});
        requests.pieces.insert(requests.pieces.end(), pieces.begin(), pieces.end());
    };
    add({0});
    for (std::uint32_t other = 1; other <= 10; ++other) add({0, other});
    add({0, 9, 11});
    add({0});
    add({0, 10, 12});
    requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
    EXPECT_EQ(sessions_of(requests), (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 3, 2}));
}

}  // namespace
}  // namespace dse::serving
