#include "ir/partition/way.hpp"

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;

const Axes mesh{data, model};

// What lies along model makes room for it on the first half of data.
TEST(UseFreeAxes, MovesWhatOverlapsTheGroup) {
    std::vector<Axes> shards{{model}, {}};
    EXPECT_TRUE(use_free_axes(shards, {model}, mesh));
    EXPECT_EQ(shards, (std::vector<Axes>{{{0, 1, 2}}, {}}));
}

// Nothing overlaps, and enough is free: the group's devices have the same of it already.
TEST(UseFreeAxes, LeavesTheRestAsItIs) {
    std::vector<Axes> shards{{}, {data}};
    EXPECT_TRUE(use_free_axes(shards, {model}, mesh));
    EXPECT_EQ(shards, (std::vector<Axes>{{}, {data}}));
}

TEST(UseFreeAxes, DoesNothingWhereTooFewAreFree) {
    std::vector<Axes> four{{data}, {}};  // model's two are free
    EXPECT_FALSE(use_free_axes(four, {data}, mesh));
    EXPECT_EQ(four, (std::vector<Axes>{{data}, {}}));
    std::vector<Axes> all{{data}, {model}};
    EXPECT_FALSE(use_free_axes(all, {model}, mesh));
}

}  // namespace
}  // namespace dse::ir::partition
