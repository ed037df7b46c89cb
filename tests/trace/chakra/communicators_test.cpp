#include "dse/trace/chakra/communicators.hpp"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/small_pipeline.hpp"
#include "trace/chakra/streams.hpp"

namespace dse::trace::chakra {
namespace {

using graph::test::SmallPipeline;

/// tp 2, dp 3, pp 1: ranks 0 and 1 are a tensor-parallel group, ranks 0, 2 and 4 a data-parallel one.
class CommunicatorsTest : public testing::Test {
  protected:
    CommunicatorsTest() {
        made.set_degree(graph::MeshAxis::tensor, 2);
        made.set_degree(graph::MeshAxis::data, 3);
        const graph::WorkId tensor = made.add(over(graph::MeshAxis::tensor));
        const graph::WorkId data = made.add(over(graph::MeshAxis::data));
        const graph::WorkId alone = made.add(over(graph::MeshAxis::context));
        const graph::RegionId pass =
            made.region("pass", 1,
                        {SmallPipeline::node(tensor), SmallPipeline::node(data),
                         SmallPipeline::node(data, {}, 1), SmallPipeline::node(alone)},
                        {graph::ValueRef::none()});
        made.finish(pass, pass, {}, graph::AxisSet{graph::MeshAxis::tensor} | graph::MeshAxis::data);
    }
    static graph::Collective over(graph::AxisSet axes) {
        graph::Collective collective;
        collective.axes = axes;
        return collective;
    }
    SmallPipeline made{1};
};

TEST_F(CommunicatorsTest, NumberGroupsByStreamAndAxes) {
    const Communicators communicators{made.graph};
    // 3 tensor-parallel groups; 2 data-parallel ones on each of two streams; everyone at the barrier.
    EXPECT_EQ(communicators.count(), 3U + 2 * 2 + 1);
    EXPECT_EQ(communicators.of(graph::compute_stream, over(graph::MeshAxis::tensor), 0), 1U);
    EXPECT_EQ(communicators.of(graph::compute_stream, over(graph::MeshAxis::tensor), 1), 1U);
    EXPECT_EQ(communicators.of(graph::compute_stream, over(graph::MeshAxis::tensor), 5), 3U);
    EXPECT_EQ(communicators.of(graph::compute_stream, over(graph::MeshAxis::data), 4), 4U);
    EXPECT_EQ(communicators.of(graph::compute_stream, over(graph::MeshAxis::data), 5), 5U);
    EXPECT_EQ(communicators.of(graph::StreamId{1}, over(graph::MeshAxis::data), 5), 7U);
    EXPECT_EQ(communicators.of(graph::compute_stream, over(graph::MeshAxis::context), 0), 0U);
    EXPECT_EQ(communicators.of(barrier_stream(made.graph),
                               over(graph::AxisSet{graph::MeshAxis::tensor} | graph::MeshAxis::data), 3),
              8U);
}

TEST_F(CommunicatorsTest, WriteTheirMembers) {
    std::ostringstream text;
    Communicators{made.graph}.write_json(text);
    const auto expected = nlohmann::json::parse(R"({"1": [0, 1], "2": [2, 3], "3": [4, 5], "4": [0, 2, 4],
        "5": [1, 3, 5], "6": [0, 2, 4], "7": [1, 3, 5], "8": [0, 1, 2, 3, 4, 5]})");
    EXPECT_EQ(nlohmann::json::parse(text.str()), expected);
}

// Two replicas of three stages: ranks 0, 2, 4 and 1, 3, 5. The middle ones meet in nothing.
TEST(Communicators, OfThePipelinesEnds) {
    SmallPipeline made{3};
    made.set_degree(graph::MeshAxis::data, 2);
    graph::Collective tied;
    tied.axes = graph::MeshAxis::pipeline;
    tied.members = graph::Members::ends;
    const graph::RegionId pass = made.region("pass", 1, {}, {graph::ValueRef::none()});
    made.finish(pass, pass);
    made.graph.regions.push_back({"finish", 0, {SmallPipeline::node(made.add(tied))}, {}});
    const Communicators communicators{made.graph};
    EXPECT_EQ(communicators.count(), 2U);
    EXPECT_EQ(communicators.of(graph::compute_stream, tied, 4), 1U);
    EXPECT_EQ(communicators.of(graph::compute_stream, tied, 5), 2U);
    EXPECT_EQ(communicators.of(graph::compute_stream, tied, 2), 0U);
    std::ostringstream text;
    communicators.write_json(text);
    EXPECT_EQ(nlohmann::json::parse(text.str()), nlohmann::json::parse(R"({"1": [0, 4], "2": [1, 5]})"));
}

// Four stages, first and last and the two in the middle: with two replicas four pairs.
TEST(Communicators, OfStagesThatMirrorEachOther) {
    SmallPipeline made{4};
    made.set_degree(graph::MeshAxis::data, 2);
    graph::Collective copies;
    copies.axes = graph::MeshAxis::pipeline;
    copies.members = graph::Members::mirrors;
    const graph::RegionId pass = made.region("pass", 1, {}, {graph::ValueRef::none()});
    made.finish(pass, pass);
    made.graph.regions.push_back({"finish", 0, {SmallPipeline::node(made.add(copies))}, {}});
    std::ostringstream text;
    Communicators{made.graph}.write_json(text);
    EXPECT_EQ(nlohmann::json::parse(text.str()),
              nlohmann::json::parse(R"({"1": [0, 6], "2": [1, 7], "3": [2, 4], "4": [3, 5]})"));
}

TEST(Communicators, OfOneRankAreNone) {
    SmallPipeline made{1};
    const graph::RegionId pass = made.region("pass", 1, {}, {graph::ValueRef::none()});
    made.finish(pass, pass);
    const Communicators communicators{made.graph};
    EXPECT_EQ(communicators.count(), 0U);
    std::ostringstream text;
    communicators.write_json(text);
    EXPECT_EQ(nlohmann::json::parse(text.str()), nlohmann::json::object());
}

}  // namespace
}  // namespace dse::trace::chakra
