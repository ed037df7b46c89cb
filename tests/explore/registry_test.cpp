#include "dse/explore/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/results/row_schema.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/space_text.hpp"

namespace dse::explore::test {
namespace {

space::SearchSpec search_of(const std::string& search) {
    return space::parse_space("axes: {a: [1, 2]}\nsearch: " + search, "s.yaml")->search();
}

TEST(Searches, AreSamplersAndMethodsThatLearn) {
    EXPECT_THAT(searches().names(), ::testing::IsSupersetOf({"grid", "sobol", "nsga2", "refine"}));
    EXPECT_FALSE(learns(search_of("{method: sobol, budget: 2}")));
    EXPECT_TRUE(learns(search_of("{method: nsga2, budget: 2}")));
}

TEST(Searches, AreThoseThatSweepsCanName) {
    std::vector<std::string> names = space::samplers().names();
    names.insert(names.end(), space::learning_methods().begin(), space::learning_methods().end());
    EXPECT_EQ(searches().names(), names);
    for (const std::string& name : space::learning_methods()) EXPECT_NE(searches().find(name), nullptr);
}

TEST(Searches, WhatALearningSearchIsToldIsPartOfItsRows) {
    const auto facts_of = [](const std::string& more, const char* objectives) {
        const auto space = space::parse_space("axes: {a: [1, 2]}\n" + more);
        auto schema = results::row_schema(*space, metrics::parse_objectives(objectives));
        add_goals(*space, schema);
        return schema.sweep.digest;
    };
    const std::string search = "search: {method: nsga2, budget: 2}\n";
    const auto plain = facts_of(search, "cost");
    EXPECT_EQ(plain, facts_of(search, "cost"));
    EXPECT_NE(plain, facts_of(search, "cost: maximize"));
    EXPECT_NE(plain, facts_of(search, "cost, energy"));
    EXPECT_NE(plain, facts_of(search + "where: cost < 3\n", "cost"));
    EXPECT_NE(plain, facts_of("search: {method: nsga2, budget: 2, population: 30}\n", "cost"));
    EXPECT_NE(plain, facts_of("search: {method: [nsga2, refine], budget: 2}\n", "cost"));
}

}  // namespace
}  // namespace dse::explore::test
