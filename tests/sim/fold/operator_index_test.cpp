#include "dse/sim/fold/operator_index.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ValueRef;
using test::SmallGraph;

/// Key of a region of one node on a stream, which waits for a value.
OperatorKey key_of(std::size_t stream, ValueRef input, const WorkTimes<2>& times,
                   const graph::Work& work = graph::Compute{}) {
    SmallGraph made{2};
    const graph::Item item = SmallGraph::node(made.kernel(1), {input}, stream);
    graph::Region region;
    region.ports = 2;
    region.items = {item};
    region.outputs = {ValueRef::item(0)};
    OperatorKey key;
    key.start(region, 2);
    key.add_node(item, work, times);
    return key;
}

TEST(OperatorIndex, FindsWhatWasAddedUntilItIsCleared) {
    const WorkTimes<2> one{{3, 3}, {3, 3}, {0, 0}};
    OperatorIndex index;
    EXPECT_EQ(index.find(key_of(0, ValueRef::port(0), one)), std::nullopt);
    index.add(key_of(0, ValueRef::port(0), one), 7);
    EXPECT_EQ(index.find(key_of(0, ValueRef::port(0), one)), 7U);
    index.clear();
    EXPECT_EQ(index.find(key_of(0, ValueRef::port(0), one)), std::nullopt);
}

/// Every number that an operator follows from tells two keys apart.
TEST(OperatorIndex, TellsStreamsInputsAndTimesApart) {
    const WorkTimes<2> one{{3, 3}, {3, 3}, {0, 0}};
    OperatorIndex index;
    index.add(key_of(0, ValueRef::port(0), one), 1);
    EXPECT_FALSE(index.find(key_of(1, ValueRef::port(0), one)));
    EXPECT_FALSE(index.find(key_of(0, ValueRef::port(1), one)));
    EXPECT_FALSE(index.find(key_of(0, ValueRef::none(), one)));
    EXPECT_FALSE(index.find(key_of(0, ValueRef::port(0), {{3, 4}, {3, 4}, {0, 0}})));
    EXPECT_FALSE(index.find(key_of(0, ValueRef::port(0), {{3, 3}, {3, 2}, {0, 0}})));
    EXPECT_FALSE(index.find(key_of(0, ValueRef::port(0), {{3, 3}, {3, 3}, {0, 1}})));
    EXPECT_TRUE(index.find(key_of(0, ValueRef::port(0), one)));
}

/// Paths through equal operators are charged to what runs there.
TEST(OperatorIndex, TellsKernelsAndGroupsApart) {
    const WorkTimes<2> one{{3, 3}, {3, 3}, {0, 0}};
    const auto key = [&one](const graph::Work& work) { return key_of(0, ValueRef::port(0), one, work); };
    graph::Collective tensor;
    tensor.axes = graph::AxisSet{graph::MeshAxis::tensor};
    graph::Collective data;
    data.axes = graph::AxisSet{graph::MeshAxis::data};
    graph::Compute longer;
    longer.executed_flop = Flop{1};
    graph::Compute attention;
    attention.op_class = graph::OpClass::attention;
    OperatorIndex index;
    index.add(key(graph::Compute{}), 1);
    index.add(key(tensor), 2);
    EXPECT_EQ(index.find(key(longer)), 1U);
    EXPECT_EQ(index.find(key(tensor)), 2U);
    EXPECT_FALSE(index.find(key(attention)));
    EXPECT_FALSE(index.find(key(data)));
    EXPECT_FALSE(index.find(key(graph::Copy{})));
}

TEST(OperatorIndex, TellsBodiesAndCountsApart) {
    graph::Region region;
    region.ports = 1;
    region.items = {SmallGraph::repeat(graph::RegionId{0}, 0, {ValueRef::port(0)})};
    region.outputs = {ValueRef::item(0)};
    const auto key = [&region](std::int64_t count, std::uint32_t body) {
        OperatorKey result;
        result.start(region, 2);
        result.add_repeat(region.items.front(), count, body);
        return result;
    };
    OperatorIndex index;
    index.add(key(4, 1), 9);
    EXPECT_FALSE(index.find(key(5, 1)));
    EXPECT_FALSE(index.find(key(4, 2)));
    EXPECT_EQ(index.find(key(4, 1)), 9U);
}

}  // namespace
}  // namespace dse::sim::fold
