#include "explore/refine.hpp"

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"
#include "explore/sample_problem.hpp"

namespace dse::explore::test {
namespace {

std::set<Genome> neighbours(const std::string& yaml, Genome genome) {
    Walked walked{yaml};
    EXPECT_TRUE(walked.knowledge.claim(genome));
    walked.knowledge.learn(solution({1.0}, 0.0, genome));
    Refine method{walked.knowledge, 0};
    const std::vector<Genome> proposed = method.propose(100);
    EXPECT_TRUE(method.propose(100).empty()) << "no other point is known";
    return {proposed.begin(), proposed.end()};
}

TEST(Refine, ProposesTheNeighboursOnEveryAxis) {
    EXPECT_EQ(neighbours("axes: {n: [1, 2, 4, 8], name: [a, b, c], one: [1]}", {2, 0, 0}),
              (std::set<Genome>{{1, 0, 0}, {3, 0, 0}, {2, 1, 0}, {2, 2, 0}}));
    EXPECT_EQ(neighbours("axes: {n: [1, 2, 4, 8]}", {0}), (std::set<Genome>{{1}}));
}

TEST(Refine, ChangesASecondAxisWhereOneLeavesTheSpace) {
    // Only on the diagonal: a step on one axis alone is never in the space.
    EXPECT_EQ(neighbours("axes: {a: {from: 0, to: 9}, b: {from: 0, to: 9}}\nrequire: [a == b]", {4, 4}),
              (std::set<Genome>{{3, 3}, {5, 5}}));
}

TEST(Refine, EndsWhereNoNeighbourIsBetter) {
    const auto alone = space::parse_space(
        "axes: {x: {from: 0, to: 40}, y: {from: 0, to: 30}}\nsearch: {method: refine, budget: 1271, "
        "population: 5}");
    const Found found = search_for(alone, {{"iteration_time"}}, two_valleys);
    EXPECT_EQ(found.front({{"iteration_time"}}), (std::set<std::vector<double>>{{10, 10}}))
        << "a valley has one bottom";
    EXPECT_LT(found.records.size(), 250U) << "5 drawn, and a way of at most 50 steps with 4 neighbours each";
    const std::set<std::vector<double>> points = found.points();
    for (const std::vector<double>& next : {std::vector<double>{9, 10}, {11, 10}, {10, 9}, {10, 11}})
        EXPECT_TRUE(points.contains(next)) << "looked at";
}

TEST(Refine, WhatItDidNotComeToIsFreeForOthers) {
    Walked walked{"axes: {name: [a, b, c, d, e]}"};
    Genome genome{0};
    ASSERT_TRUE(walked.knowledge.claim(genome));
    walked.knowledge.learn(solution({1.0}, 0.0, genome));
    {
        Refine method{walked.knowledge, 0};
        EXPECT_EQ(method.propose(1).size(), 1U);
    }
    std::size_t left = 0;
    while (walked.knowledge.claim_any()) ++left;
    EXPECT_EQ(left, 3U);
}

}  // namespace
}  // namespace dse::explore::test
