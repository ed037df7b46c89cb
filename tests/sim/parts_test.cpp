#include "dse/sim/parts.hpp"

#include <gtest/gtest.h>

namespace dse::sim {
namespace {

using graph::AxisSet;
using graph::MeshAxis;

TEST(Cause, FollowsFromTheWork) {
    const AxisSet axes = AxisSet{MeshAxis::tensor} | MeshAxis::data;
    EXPECT_EQ(Cause::of(graph::Collective{{}, axes, {}, 1.0}), Cause::communication(axes));
    EXPECT_EQ(Cause::of(graph::Transfer{}), Cause::communication(MeshAxis::pipeline));
    EXPECT_EQ(Cause::of(graph::Compute{}), Cause::idle());
    EXPECT_EQ(Cause::of(graph::Copy{}), Cause::idle());
    EXPECT_LT(Cause::imbalance().index(), cause_count);
}

TEST(Parts, ChargeEachCauseApart) {
    Parts parts;
    parts.compute[2] = 1;
    parts.charge(Cause::bubble(), 2);
    parts.charge(Cause::idle(), 4);
    parts.charge(Cause::imbalance(), 8);
    parts.charge(Cause::communication(MeshAxis::data), 16);
    parts.charge(Cause::communication(MeshAxis::data), 32);
    EXPECT_EQ(parts.bubble, 2.0);
    EXPECT_EQ(parts.idle, 4.0);
    EXPECT_EQ(parts.imbalance, 8.0);
    EXPECT_EQ(parts.communication[AxisSet{MeshAxis::data}.bits()], 48.0);
    EXPECT_EQ(parts.compute_time(), 1.0);
    EXPECT_EQ(parts.sum(), 63.0);
}

TEST(Parts, AddSeveralTimes) {
    Parts one;
    one.compute[0] = 1;
    one.bubble = 2;
    one.charge(Cause::transfer(), 3);
    Parts sum = one;
    sum.add(one, 4);
    EXPECT_EQ(sum.compute[0], 5.0);
    EXPECT_EQ(sum.sum(), 5 * one.sum());
    sum.add(one, -5);
    EXPECT_EQ(sum, Parts{});
}

}  // namespace
}  // namespace dse::sim
