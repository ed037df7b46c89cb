#include "ir/readers/mlir/value_scopes.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dse::ir::mlir {
namespace {

TEST(ValueScopes, InnerNamesHideOuterOnesUntilTheirEnd) {
    ValueScopes scopes;
    EXPECT_TRUE(scopes.define("a", {ValueId{1}, 1}));
    EXPECT_FALSE(scopes.define("a", {ValueId{2}, 1}));
    scopes.open();
    EXPECT_EQ(scopes.find("a")->first, ValueId{1});
    EXPECT_TRUE(scopes.define("a", {ValueId{3}, 2}));
    EXPECT_EQ(scopes.find("a")->first, ValueId{3});
    scopes.close();
    EXPECT_EQ(scopes.find("a")->first, ValueId{1});
    EXPECT_EQ(scopes.find("b"), nullptr);
}

TEST(ValueScopes, FunctionsSeeNothingAroundThem) {
    ValueScopes scopes;
    scopes.define("a", {ValueId{1}, 1});
    scopes.open(ValueScopes::Surroundings::hidden);
    EXPECT_EQ(scopes.find("a"), nullptr);
    EXPECT_EQ(scopes.nearest("aa"), "");
    EXPECT_TRUE(scopes.define("b", {ValueId{2}, 1}));
    scopes.open();
    EXPECT_EQ(scopes.find("a"), nullptr) << "nor do regions in them";
    EXPECT_EQ(scopes.find("b")->first, ValueId{2});
    scopes.close();
    scopes.close();
    EXPECT_EQ(scopes.find("a")->first, ValueId{1});
}

TEST(ValueScopes, ManyNamesInManyScopes) {
    std::vector<std::string> names;
    for (int i = 0; i < 5000; ++i) names.push_back(std::to_string(i));
    ValueScopes scopes;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i % 1000 == 999) scopes.open();
        EXPECT_TRUE(scopes.define(names[i], {ValueId{i}, 1}));
    }
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(scopes.find(names[i])->first, ValueId{i});
    for (int i = 0; i < 5; ++i) scopes.close();
    EXPECT_EQ(scopes.find("998")->first, ValueId{998});
    EXPECT_EQ(scopes.find("999"), nullptr);
    EXPECT_FALSE(scopes.define("998", {ValueId{1}, 1}));
    EXPECT_TRUE(scopes.define("999", {ValueId{2}, 1}));
    for (const char* other : {"0998", "00998", "x998", "998x", "9980000000000000000998"}) {
        EXPECT_EQ(scopes.find(other), nullptr) << other;
        EXPECT_TRUE(scopes.define(other, {ValueId{3}, 1})) << other;
        EXPECT_FALSE(scopes.define(other, {ValueId{4}, 1})) << other;
    }
    EXPECT_EQ(scopes.find("998")->first, ValueId{998});
}

TEST(ValueScopes, TellsTheNearestName) {
    ValueScopes scopes;
    EXPECT_EQ(scopes.nearest("arg0"), "");
    scopes.define("cst", {ValueId{0}, 1});
    scopes.define("arg01", {ValueId{1}, 1});
    EXPECT_EQ(scopes.nearest("arg0"), "arg01");
}

}  // namespace
}  // namespace dse::ir::mlir
