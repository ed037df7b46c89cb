#include "dse/sim/parts.hpp"

#include <gtest/gtest.h>

namespace dse::sim {
namespace {

using graph::AxisSet;
using graph::MeshAxis;

TEST(Cause, FollowsFromTheWork) {
    const AxisSet axes = AxisSet{MeshAxis::tensor} | MeshAxis::data;
    EXPECT_EQ(Cause::of(graph::Collective{{}, axes, {}, 1.0}), Cause::communication(axes));
    EXPECT_EQ(Cause::of(graph::Transfer{}), Cause::message());
    EXPECT_EQ(Cause::of(graph::Compute{}), Cause::idle());
    EXPECT_EQ(Cause::of(graph::Copy{}), Cause::idle());
    EXPECT_LT(Cause::message().index(), cause_count);
    EXPECT_TRUE(Cause::message().is_of_others());
    EXPECT_FALSE(Cause::communication(MeshAxis::pipeline).is_of_others());
}

TEST(Parts, ChargeEachCauseApart) {
    Parts parts;
    parts.compute[2] = 1;
    parts.charge(Cause::bubble(), 2);
    parts.charge(Cause::idle(), 4);
    parts.charge(Cause::imbalance(), 8);
    parts.charge(Cause::communication(MeshAxis::data), 16);
    parts.charge(Cause::communication(MeshAxis::data), 32);
    parts.charge(Cause::message(), 64);
    EXPECT_EQ(parts.bubble, 2.0);
    EXPECT_EQ(parts.idle, 4.0);
    EXPECT_EQ(parts.imbalance, 8.0);
    EXPECT_EQ(parts.communication[AxisSet{MeshAxis::data}.bits()], 48.0);
    EXPECT_EQ(parts.message, 64.0);
    EXPECT_EQ(parts.compute_time(), 1.0);
    EXPECT_EQ(parts.own_time(), 1.0 + 4.0 + 48.0);
    EXPECT_EQ(parts.sum(), 127.0);
}

TEST(Parts, ChargeWhatRuns) {
    Parts parts;
    graph::Compute gemm;
    gemm.op_class = graph::OpClass::gemm;
    parts.charge_run(gemm, 1);
    parts.charge_run(graph::Collective{{}, MeshAxis::tensor, {}, 1.0}, 2);
    parts.charge_run(graph::Transfer{}, 4);
    parts.charge_run(graph::Copy{}, 8);
    EXPECT_EQ(parts.compute[static_cast<std::size_t>(graph::OpClass::gemm)], 1.0);
    EXPECT_EQ(parts.communication[AxisSet{MeshAxis::tensor}.bits()], 2.0);
    EXPECT_EQ(parts.message, 4.0);
    EXPECT_EQ(parts.idle, 8.0);
}

TEST(Parts, AddSeveralTimes) {
    Parts one;
    one.compute[0] = 1;
    one.bubble = 2;
    one.charge(Cause::message(), 3);
    Parts sum = one;
    sum.add(one, 4);
    EXPECT_EQ(sum.compute[0], 5.0);
    EXPECT_EQ(sum.sum(), 5 * one.sum());
    sum.add(one, -5);
    EXPECT_EQ(sum, Parts{});
}

}  // namespace
}  // namespace dse::sim
