#include "dse/graph/turns.hpp"

#include <gtest/gtest.h>

#include "support/small_graph.hpp"

namespace dse::graph {
namespace {

using dse::test::SmallGraph;

bool communicates(const Graph& graph, const Item& item) {
    return std::holds_alternative<Collective>(graph.works[item.work.index()]);
}

class TurnsTest : public ::testing::Test {
  protected:
    RegionId body(std::uint16_t ports, std::vector<Item> items, std::vector<ValueRef> outputs) {
        return made_.region(ports, std::move(items), std::move(outputs));
    }
    Item kernel(std::vector<ValueRef> inputs) { return SmallGraph::node(made_.kernel(1), std::move(inputs)); }
    Item collective(std::vector<ValueRef> inputs) {
        return SmallGraph::node(made_.collective(MeshAxis::tensor, 1), std::move(inputs), 1);
    }
    Turns turns() {
        return {made_.graph.regions, [this](const Item& item) { return communicates(made_.graph, item); }};
    }
    [[nodiscard]] const Region& region(RegionId id) const { return made_.graph.regions[id.index()]; }

    SmallGraph made_{2};
};

// Forward: attention, dispatch, experts. Backward: combine, experts, dispatch, attention. The forward's
// attention runs under the backward's combine, its dispatch under the backward's experts, and so on.
TEST_F(TurnsTest, ComputeUnderEachOthersCommunication) {
    const RegionId forward =
        body(1, {kernel({ValueRef::port(0)}), collective({ValueRef::item(0)}), kernel({ValueRef::item(1)})},
             {ValueRef::item(2)});
    const RegionId backward = body(2,
                                   {collective({ValueRef::port(0)}), kernel({ValueRef::item(0)}),
                                    collective({ValueRef::item(1)}), kernel({ValueRef::item(2)})},
                                   {ValueRef::item(3), ValueRef::port(1)});
    const Region f = region(forward);
    const Region b = region(backward);
    Turns turns = this->turns();
    const Region merged = region(turns.of_bodies(forward, backward));
    const std::vector<const Item*> order{&b.items[0], &f.items[0], &f.items[1], &b.items[1],
                                         &b.items[2], &f.items[2], &b.items[3]};
    ASSERT_EQ(merged.items.size(), order.size());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(merged.items[i].work, order[i]->work) << i;
    EXPECT_EQ(merged.ports, 3);
    EXPECT_EQ(merged.items[0].inputs, (std::vector{ValueRef::port(1)}));
    EXPECT_EQ(merged.items[1].inputs, (std::vector{ValueRef::port(0)}));
    EXPECT_EQ(merged.items[3].inputs, (std::vector{ValueRef::item(0)}));
    EXPECT_EQ(merged.items[5].inputs, (std::vector{ValueRef::item(2)}));
    EXPECT_EQ(merged.outputs, (std::vector{ValueRef::item(5), ValueRef::item(6), ValueRef::port(2)}));
    EXPECT_EQ(turns.of_bodies(forward, backward), turns.of_bodies(forward, backward));
}

// What is sent for and waited for elsewhere (parameters, reduced gradients) is no reason to take turns.
TEST_F(TurnsTest, StayWhereNobodyWaits) {
    const RegionId ahead = body(1, {collective({}), kernel({ValueRef::port(0)})}, {ValueRef::item(1)});
    const RegionId back = body(1, {kernel({ValueRef::port(0)})}, {ValueRef::item(0)});
    const Region a = region(ahead);
    const Region b = region(back);
    const Region merged = region(turns().of_bodies(ahead, back));
    EXPECT_EQ(merged.items[0].work, b.items[0].work);
    EXPECT_EQ(merged.items[1].work, a.items[0].work);
    EXPECT_EQ(merged.items[2].work, a.items[1].work);
}

// Rows of 3 and 5 bodies: 3 pairs, then 2 alone; what stands before and behind the rows keeps its place.
TEST_F(TurnsTest, PairRowsOffOneByOne) {
    StageProgram program;
    program.counts = {3, 5};
    const RegionId layer = body(1, {kernel({ValueRef::port(0)})}, {ValueRef::item(0)});
    const RegionId gradient = body(1, {kernel({ValueRef::port(0)})}, {ValueRef::item(0)});
    const RegionId forward =
        body(1, {kernel({ValueRef::port(0)}), SmallGraph::repeat(layer, 0, {ValueRef::item(0)})},
             {ValueRef::item(1)});
    const RegionId backward =
        body(1, {SmallGraph::repeat(gradient, 1, {ValueRef::port(0)}), kernel({ValueRef::item(0)})},
             {ValueRef::item(1)});
    const Region merged = region(turns().of_tasks(forward, backward, program));
    ASSERT_EQ(merged.items.size(), 4U);
    EXPECT_EQ(merged.ports, 2);
    EXPECT_EQ(program.counts[merged.items[1].count.index()], 3);
    EXPECT_EQ(merged.items[1].inputs, (std::vector{ValueRef::item(0), ValueRef::port(1)}));
    EXPECT_EQ(merged.items[2].body, gradient);
    EXPECT_EQ(program.counts[merged.items[2].count.index()], 2);
    EXPECT_EQ(merged.items[2].inputs, (std::vector{ValueRef::item(1, 1)}));
    EXPECT_EQ(merged.outputs, (std::vector{ValueRef::item(1, 0), ValueRef::item(3)}));
}

// Bodies of two ports each have four values in common rounds: first the forward's, then the backward's.
TEST_F(TurnsTest, ValuesOfACommonRowAreThoseOfItsSides) {
    StageProgram program;
    program.counts = {3, 3};
    const std::vector<ValueRef> both{ValueRef::port(0), ValueRef::port(1)};
    const RegionId layer = body(2, {kernel(both)}, {ValueRef::port(0), ValueRef::item(0)});
    const RegionId gradient = body(2, {kernel(both)}, {ValueRef::port(0), ValueRef::item(0)});
    const RegionId forward = body(1, {SmallGraph::repeat(layer, 0, {ValueRef::port(0), ValueRef::port(0)})},
                                  {ValueRef::item(0, 1)});
    const RegionId backward = body(1,
                                   {SmallGraph::repeat(gradient, 1, {ValueRef::port(0), ValueRef::port(0)}),
                                    kernel({ValueRef::item(0, 1)})},
                                   {ValueRef::item(1)});
    const Region merged = region(turns().of_tasks(forward, backward, program));
    ASSERT_EQ(merged.items.size(), 2U);
    EXPECT_EQ(merged.items[1].inputs, (std::vector{ValueRef::item(0, 3)}));
    EXPECT_EQ(merged.outputs, (std::vector{ValueRef::item(0, 1), ValueRef::item(1)}));
}

}  // namespace
}  // namespace dse::graph
