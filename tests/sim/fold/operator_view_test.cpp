#include "dse/sim/fold/operator_view.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "support/layer_graph.hpp"

namespace dse::sim::fold {
namespace {

/// Of a graph whose kernels take as long in all evaluations but one.
TEST(OperatorView, HasTheNumbersOfItsEvaluation) {
    const test::LayerGraph made{{2, 4, 3}};
    std::vector<Durations> each(2, made.durations);
    for (NodeTime& time : each[1].of_work)
        time = {2 * time.duration, 2 * time.visible, 2 * time.hold, 2 * time.lost};
    RegionTable table;
    table.reset(made.graph);
    AbreastOperators together;
    together.reset(made.graph, {&each[0], &each[1], &each[0], &each[0]}, table);
    const graph::ChunkProgram& chunk = made.graph.programs[0].chunks[0];
    const graph::RegionId region = graph::region_of(chunk, 0);
    EXPECT_FALSE(together.is_alike(region, 0));
    for (std::size_t which = 0; which < 2; ++which) {
        RegionOperators alone;
        alone.reset(made.graph, {&each[which]}, table);
        const OperatorView expected{alone};
        const OperatorView found{together, which};
        const OperatorView::Rows rows = expected.of(region, 0);
        ASSERT_EQ(found.of(region, 0).inputs, rows.inputs);
        ASSERT_EQ(found.of(region, 0).outputs, rows.outputs);
        for (std::size_t i = 0; i < rows.outputs; ++i) {
            for (std::size_t j = 0; j < rows.inputs; ++j)
                EXPECT_EQ(found.of(region, 0).at(i, j), expected.of(region, 0).at(i, j));
        }
        EXPECT_EQ(found.streams_of(region, 0), expected.streams_of(region, 0));
    }
    EXPECT_NE((OperatorView{together, 0}.number_of(region, 0)),
              (OperatorView{together, 1}.number_of(region, 0)));
}

TEST(OperatorView, HasOneNumberWhereAllTimesAreTheSame) {
    const test::LayerGraph made{{2, 4, 3}};
    RegionTable table;
    table.reset(made.graph);
    AbreastOperators together;
    const Durations& one = made.durations;
    together.reset(made.graph, {&one, &one, &one, &one}, table);
    const graph::RegionId region = graph::region_of(made.graph.programs[0].chunks[0], 0);
    EXPECT_TRUE(together.is_alike(region, 0));
    EXPECT_EQ((OperatorView{together, 0}.number_of(region, 0)),
              (OperatorView{together, 3}.number_of(region, 0)));
    Durations longer = one;
    for (NodeTime& time : longer.of_work) time.duration += 1;
    together.change({&one, &one, &one, &longer});
    EXPECT_FALSE(together.is_alike(region, 0));
    EXPECT_NE((OperatorView{together, 0}.number_of(region, 0)),
              (OperatorView{together, 3}.number_of(region, 0)));
}

}  // namespace
}  // namespace dse::sim::fold
