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

}  // namespace
}  // namespace dse::serving
