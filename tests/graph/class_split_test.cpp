#include "dse/graph/class_split.hpp"

#include <gmock/gmock.h>

#include "support/small_graph.hpp"

namespace dse::graph {
namespace {

using test::SmallGraph;
using testing::ElementsAre;

/// Two stages with one program: a region that plays a body of a kernel and a collective three times, and a
/// kernel behind it.
class ClassSplitTest : public testing::Test {
  protected:
    ClassSplitTest() {
        kernel_ = small_.kernel(1.0);
        const WorkId gather = small_.collective(MeshAxis::tensor, 1.0);
        body_ = small_.region(0, {SmallGraph::node(kernel_), SmallGraph::node(gather)}, {});
        const RegionId forward =
            small_.region(1, {SmallGraph::repeat(body_, 0), SmallGraph::node(kernel_)}, {ValueRef::none()});
        StageProgram program;
        ChunkProgram chunk{};
        chunk.forward = chunk.forward_first = forward;
        program.chunks = {chunk};
        program.counts = {3};
        small_.graph.programs = {program};
        small_.graph.program_of = {0, 0};
    }
    SmallGraph small_;
    WorkId kernel_;
    RegionId body_;
};

TEST_F(ClassSplitTest, one_class_changes_nothing) {
    const std::array<DeviceClass, 2> same{0, 0};
    ClassSplit split;
    split.read(small_.graph, same);
    EXPECT_EQ(split.graph().works.size(), small_.graph.works.size());
    EXPECT_EQ(split.graph().regions.size(), small_.graph.regions.size());
    EXPECT_THAT(split.graph().program_of, ElementsAre(0, 0));
    EXPECT_THAT(split.class_of_work(), testing::Each(0));
}

TEST_F(ClassSplitTest, kernels_of_another_class_stand_once_more) {
    const std::array<DeviceClass, 2> two{0, 3};
    ClassSplit split;
    split.read(small_.graph, two);
    const Graph& graph = split.graph();
    EXPECT_THAT(graph.program_of, ElementsAre(0, 1));
    // The kernel alone: collectives are of all classes.
    ASSERT_EQ(graph.works.size(), small_.graph.works.size() + 1);
    EXPECT_EQ(split.class_of_work().back(), 3);
    const RegionId forward = graph.programs[1].chunks[0].forward;
    EXPECT_EQ(graph.programs[1].chunks[0].forward_first, forward) << "what is one stays one";
    const Region& own = graph.regions[forward.index()];
    EXPECT_EQ(own.items[1].work.index(), graph.works.size() - 1);
    const Region& body = graph.regions[own.items[0].body.index()];
    EXPECT_NE(own.items[0].body, body_);
    EXPECT_EQ(body.items[0].work.index(), graph.works.size() - 1);
    EXPECT_EQ(body.items[1].work, small_.graph.regions[body_.index()].items[1].work);
    EXPECT_EQ(graph.programs[1].counts, small_.graph.programs[0].counts);
    // The original's own.
    EXPECT_EQ(graph.regions[body_.index()].items[0].work, kernel_);
}

}  // namespace
}  // namespace dse::graph
