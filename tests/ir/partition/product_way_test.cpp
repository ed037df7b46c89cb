#include "ir/partition/product_way.hpp"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "ir/partition/projection.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

const Axes both{data, model};

// A product [m, k] times [k, n]; factors in the order m, n, k.
Way way_of(const Layout& lhs, const Layout& rhs, const Layout& result, const Axes& mesh,
           const Sizes& sizes = {64, 64, 64}) {
    ShardedProgram p;
    p.product(p.argument({sizes[0], sizes[2]}), p.argument({sizes[2], sizes[1]}));
    const Slots slots{p.program};
    const auto way = product_way(relations(p.program, slots).front(), slots, {&lhs, &rhs, &result}, mesh);
    if (way) return *way;
    ADD_FAILURE() << "no way";
    return {};
}

TEST(ProductWay, IsThatOfMatchingRows) {
    EXPECT_EQ(way_of({{data}, {}}, {{}, {}}, {{data}, {}}, both).axes, (std::vector<Axes>{{data}, {}, {}}));
    EXPECT_EQ(way_of({{data}, {}}, {{}, {model}}, {{data}, {model}}, both).axes,
              (std::vector<Axes>{{data}, {model}, {}}));
}

// FSDP: activations and result lie on the batch, the weight on its rows: it is gathered, however large.
TEST(ProductWay, MatchesTheResultBeforeItSums) {
    EXPECT_EQ(way_of({{data}, {}}, {{data}, {}}, {{data}, {}}, {data}, {4, 4096, 4096}).axes,
              (std::vector<Axes>{{data}, {}, {}}));
}

// The gradient of that weight: summed at once, and each device keeps its rows.
TEST(ProductWay, SumsWhatAllDevicesAreCutAlong) {
    const Way way = way_of({{}, {data}}, {{data}, {}}, {{data}, {}}, {data});
    EXPECT_EQ(way.axes, (std::vector<Axes>{{}, {}, {data}}));
    EXPECT_EQ(way.summing, Summing::whole);
}

// Megatron's second product, beside data parallelism: rows first; the rest of the devices sums.
TEST(ProductWay, SolvesWhatIsLeftOfTheDevices) {
    EXPECT_EQ(way_of({{data}, {model}}, {{model}, {}}, {{data}, {}}, both).axes,
              (std::vector<Axes>{{data}, {}, {model}}));
}

// A weight's gradient, summed over the batch, that is to lie on the other axis: as nothing is cut along all
// devices, sums are scattered.
TEST(ProductWay, ScattersSumsOfSomeDevices) {
    const Way way = way_of({{}, {data}}, {{data}, {}}, {{model}, {}}, both);
    EXPECT_EQ(way.axes, (std::vector<Axes>{{model}, {}, {data}}));
    EXPECT_EQ(way.summing, Summing::scattered);
}

// The weight's columns lie on the axis that the rows are computed along: it is gathered on its way.
TEST(ProductWay, MovesTheOtherOperandOutOfTheWay) {
    const Way way = way_of({{data}, {}}, {{}, {data}}, {{data}, {}}, both);
    EXPECT_EQ(way.axes, (std::vector<Axes>{{data}, {}, {}}));
    ASSERT_EQ(way.stops.size(), 3U);
    EXPECT_EQ(way.stops[1], (std::vector<Layout>{{{}, {}}}));
    EXPECT_TRUE(way.stops[0].empty());
}

// Rows are decided first; the weight is then gathered by the devices that have the same rows.
TEST(ProductWay, SaysWhichDevicesMoveTheOperands) {
    EXPECT_EQ(way_of({{data}, {}}, {{}, {model}}, {{data}, {}}, both).group, (Axes{model}));
    EXPECT_TRUE(way_of({{}, {data}}, {{data}, {}}, {{data}, {}}, {data}).group.empty());
}

// The batch of both operands and the result: each device computes its own.
TEST(ProductWay, IsThatOfMatchingBatches) {
    ShardedProgram p;
    const ValueId a = p.argument({8, 16, 32});
    p.operation(Opcode::dot, {a, p.argument({8, 32, 4})}, {8, 16, 4}, DotDimensions{{0}, {0}, {2}, {1}});
    const Slots slots{p.program};
    const Relation relation = relations(p.program, slots).front();
    const Layout batch{{data, model}, {}, {}};
    const Layout columns{{}, {}, {data, model}};
    const auto way = product_way(relation, slots, {&batch, &columns, &batch}, both);
    ASSERT_TRUE(way.has_value());
    EXPECT_EQ(layout_of(relation.rule(), relation.rule().operands[1], way->axes), batch);
}

// Windows along which an array is cut need their neighbours: no way is known.
TEST(ProductWay, IsNoneWhereWindowsAreCut) {
    ShardedProgram p;
    p.product(p.argument({64, 64}), p.argument({64, 64}));
    const Slots slots{p.program};
    Relation relation = relations(p.program, slots).front();
    FactorRule windows = relation.rule();
    windows.factors[0].kind = FactorRule::Kind::permutation;
    relation.shared_rule = std::make_shared<const FactorRule>(std::move(windows));
    const Layout cut{{data}, {}};
    const Layout whole{{}, {}};
    EXPECT_FALSE(product_way(relation, slots, {&cut, &whole, &whole}, both).has_value());
    EXPECT_TRUE(product_way(relation, slots, {&whole, &cut, &whole}, both).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
