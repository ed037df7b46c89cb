#include "dse/sim/fold/region_path.hpp"

#include <gtest/gtest.h>

#include "support/layer_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::MeshAxis;
using graph::RegionId;
using graph::ValueRef;
using test::SmallGraph;

class RegionPathsTest : public ::testing::Test {
  protected:
    void start(const SmallGraph& made) {
        table_.reset(made.graph);
        operators_.reset(made.graph, {&made.durations}, table_);
        paths_.reset(made.graph, made.durations, OperatorView{operators_});
    }
    static double communication(const RegionPath& path, MeshAxis axis) {
        return path.parts.communication[graph::group_index(graph::AxisSet{axis})];
    }
    RegionTable table_;
    RegionOperators operators_;
    RegionPaths paths_;
};

// Kernels lose 0.5 to a collective of 2 on stream 1 that waits for port 0, before the first kernel of 3: a
// section of its own, with which nothing runs on.
TEST_F(RegionPathsTest, LeadThroughWhatKernelsLose) {
    SmallGraph made{2};
    const graph::WorkId gather = made.collective(MeshAxis::data, {2, 2, 0, 0.5});
    const RegionId one = made.region(1, {SmallGraph::node(gather, {ValueRef::port(0)}, 1)}, {});
    const RegionId region = made.region(
        1, {SmallGraph::node(gather, {ValueRef::port(0)}, 1), SmallGraph::node(made.kernel(3))}, {});
    made.program(made.pass(1), made.pass(1));
    made.graph.revision = 1;
    start(made);
    const RegionPath path = paths_.find(region, 0, 0, std::vector{5.0, 0.0, 100.0});
    EXPECT_EQ(path.input, 0U);
    EXPECT_EQ(path.length, 3.5);
    EXPECT_EQ(path.parts.compute_time(), 3);
    EXPECT_EQ(communication(path, MeshAxis::data), 0.5);
    ASSERT_EQ(path.sections.size(), 2U);
    EXPECT_TRUE(path.sections[1].on_compute);
    const RegionPath alone = paths_.find(one, 0, 0, std::vector{5.0, 0.0, 100.0});
    EXPECT_EQ(alone.length, 0.5);
    EXPECT_EQ(alone.behind, 0);
    const RegionPath beside = paths_.find(one, 0, 1, std::vector{5.0, 0.0, 100.0});
    EXPECT_EQ(beside.input, 2U);
    EXPECT_EQ(beside.length, 2);
}

// A kernel of 3 that waits for port 0, then a collective of 2 on stream 1, there after 1, that holds compute
// for 0.5.
TEST_F(RegionPathsTest, LeadToTheInputWithTheLargestSum) {
    SmallGraph made{2};
    const RegionId region =
        made.region(1,
                    {SmallGraph::node(made.kernel(3), {ValueRef::port(0)}),
                     SmallGraph::node(made.collective(MeshAxis::data, {2, 1, 0.5}), {ValueRef::item(0)}, 1)},
                    {ValueRef::item(1), ValueRef::port(0)});
    made.program(made.pass(1), made.pass(1));
    made.graph.revision = 1;
    start(made);
    constexpr std::size_t value = 2;
    // The port comes last: kernel from 10 to 13, collective visible at 14 and over at 15.
    const RegionPath late_port = paths_.find(region, 0, value, std::vector{5.0, 0.0, 10.0});
    EXPECT_EQ(late_port.input, 2U);
    EXPECT_EQ(late_port.length, 4);
    EXPECT_EQ(late_port.parts.compute_time(), 3);
    EXPECT_EQ(communication(late_port, MeshAxis::data), 1);
    EXPECT_EQ(late_port.behind, 1);
    ASSERT_EQ(late_port.sections.size(), 2U);
    EXPECT_EQ(late_port.sections[0].length, 1) << "from the last to the first";
    // Stream 1 is busy until 20: the collective alone.
    const RegionPath late_stream = paths_.find(region, 0, value, std::vector{5.0, 20.0, 10.0});
    EXPECT_EQ(late_stream.input, 1U);
    EXPECT_EQ(late_stream.length, 1);
    // Compute and the port tie, and the node's own stream comes first; how early stream 1 is does not matter.
    EXPECT_EQ(paths_.find(region, 0, value, std::vector{10.0, 0.0, 10.0}).input, 0U);
    EXPECT_EQ(paths_.count(), 3U);
    EXPECT_EQ(paths_.find(region, 0, value, std::vector{17.0, 9.0, 17.0}).input, 0U);
    EXPECT_EQ(paths_.find(region, 0, value, std::vector{17.0, 9.0, 27.0}).length, 4);
    EXPECT_EQ(paths_.count(), 3U) << "known before";
    // Handed on as it is.
    EXPECT_TRUE(paths_.find(region, 0, 3, std::vector{17.0, 9.0, 1.0}).sections.empty());
    // What the compute stream waits for, 0.5 of it, goes on for 1.5.
    const RegionPath compute = paths_.find(region, 0, 0, std::vector{5.0, 0.0, 10.0});
    EXPECT_EQ(compute.length, 3.5);
    EXPECT_EQ(compute.behind, 1.5);
}

// A layer: a kernel of 1 that waits for the value of the layer before, then a collective of 2. Once the value
// of port 0 at 9 has led through the first layer, all others are alike: 3 each, the last one's collective
// included.
TEST_F(RegionPathsTest, SkipRunsThatAreAlike) {
    SmallGraph made{2};
    const RegionId layer =
        made.region(1,
                    {SmallGraph::node(made.kernel(1), {ValueRef::port(0)}),
                     SmallGraph::node(made.collective(MeshAxis::tensor, 2), {ValueRef::item(0)}, 1)},
                    {ValueRef::item(1)});
    const RegionId region = made.region(1,
                                        {SmallGraph::repeat(layer, 0, {ValueRef::port(0)}),
                                         SmallGraph::node(made.kernel(7), {ValueRef::item(0)})},
                                        {ValueRef::item(1)});
    graph::StageProgram& program = made.program(made.pass(1), made.pass(1));
    program.counts = {1000000};
    made.graph.revision = 1;
    start(made);
    const RegionPath& path = paths_.find(region, 0, 2, std::vector{8.0, 0.0, 9.0});
    EXPECT_EQ(path.input, 2U);
    EXPECT_EQ(path.length, 3e6 + 7);
    EXPECT_EQ(path.parts.compute_time(), 1e6 + 7);
    EXPECT_EQ(communication(path, MeshAxis::tensor), 2e6);
    EXPECT_LE(path.sections.size(), 4U);
    EXPECT_LE(paths_.count(), 4U);
}

TEST_F(RegionPathsTest, StayWhereNoTimeChanges) {
    SmallGraph made{1};
    const graph::WorkId work = made.kernel(3);
    const RegionId first = made.region(1, {SmallGraph::node(work, {ValueRef::port(0)})}, {ValueRef::item(0)});
    const RegionId second =
        made.region(1, {SmallGraph::node(made.kernel(5), {ValueRef::port(0)})}, {ValueRef::item(0)});
    made.program(made.pass(1), made.pass(1));
    made.graph.revision = 1;
    start(made);
    const std::vector inputs{1.0, 0.0};
    EXPECT_EQ(paths_.find(first, 0, 0, inputs).length, 3);
    EXPECT_EQ(paths_.find(second, 0, 0, inputs).length, 5);
    Durations longer = made.durations;
    longer.of_work[work.index()] = {7, 7, 0};
    operators_.change({&longer});
    paths_.reset(made.graph, longer, OperatorView{operators_});
    EXPECT_EQ(paths_.find(second, 0, 0, inputs).length, 5);
    EXPECT_EQ(paths_.count(), 2U);
    EXPECT_EQ(paths_.find(first, 0, 0, inputs).length, 7);
    EXPECT_EQ(paths_.count(), 3U);
}

}  // namespace
}  // namespace dse::sim::fold
