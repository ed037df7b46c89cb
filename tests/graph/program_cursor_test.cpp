#include "dse/graph/program_cursor.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "small_pipeline.hpp"

namespace dse::graph {
namespace {

using test::SmallPipeline;
using Cursor = ProgramCursor<int>;

/// Values are numbers: 1000 and up are messages, in the order in which they are received.
class NotingBoundary final : public ProgramBoundary<int> {
  public:
    int receive(const Task& task, const Peer& from) override {
        if (from.kind == Peer::Kind::none) return 0;
        received.push_back(task);
        return 999 + static_cast<int>(received.size());
    }
    void send(const Task& task, const Peer& to, const int& value) override {
        if (to.kind == Peer::Kind::stage) sent.emplace_back(task, value);
    }
    std::vector<Task> received;
    std::vector<std::pair<Task, int>> sent;
};

/// Plays everything; nodes yield 1, 2, …. \return the inputs of each
std::vector<std::vector<int>> play(const Graph& graph, std::uint32_t stage, NotingBoundary& boundary) {
    Cursor cursor{graph, stage};
    std::vector<std::vector<int>> inputs;
    while (cursor.next(boundary) != nullptr) {
        inputs.emplace_back(cursor.inputs().begin(), cursor.inputs().end());
        cursor.yield(static_cast<int>(inputs.size()));
    }
    return inputs;
}

// The body's nodes a and b; b's value comes back two iterations later: ports (0) and (1) shift. The forward
// pass saves its last a, which the backward pass takes.
TEST(ProgramCursor, CarriesValuesAroundAndBetweenPasses) {
    SmallPipeline made{1};
    const WorkId work = made.kernel(1, 1, 1);
    const RegionId body = made.region(
        "body", 2,
        {SmallPipeline::node(work), SmallPipeline::node(work, {ValueRef::item(0), ValueRef::port(0)})},
        {ValueRef::port(1), ValueRef::item(1)});
    const RegionId forward =
        made.region("forward", 1, {SmallPipeline::repeat(body, 0, {ValueRef::none(), ValueRef::none()})},
                    {ValueRef::none(), ValueRef::item(0, 0), ValueRef::item(0, 1)});
    const RegionId backward =
        made.region("backward", 3, {SmallPipeline::node(work, {ValueRef::port(1), ValueRef::port(2)})},
                    {ValueRef::none()});
    made.finish(forward, backward, {4});

    NotingBoundary boundary;
    // a b of iteration i are 2i + 1 and 2i + 2; b waits for a, and for the b of two iterations before.
    const std::vector<std::vector<int>> expected{{}, {1, 0}, {}, {3, 0}, {}, {5, 2}, {}, {7, 4}, {6, 8}};
    EXPECT_EQ(play(made.graph, 0, boundary), expected);
}

TEST(ProgramCursor, LeavesEverythingAsItIsWhereNothingRepeats) {
    SmallPipeline made{1};
    const WorkId work = made.kernel(1, 1, 1);
    const RegionId body = made.region("body", 1, {SmallPipeline::node(work)}, {ValueRef::item(0)});
    const RegionId forward = made.region(
        "forward", 1, {SmallPipeline::node(work), SmallPipeline::repeat(body, 0, {ValueRef::item(0)})},
        {ValueRef::item(1, 0)});
    made.finish(forward, made.region("backward", 1, {}, {ValueRef::none()}), {0});
    NotingBoundary boundary;
    EXPECT_EQ(play(made.graph, 0, boundary).size(), 1U);
}

TEST(ProgramCursor, ReceivesAtTheBeginningOfATaskAndSendsAtItsEnd) {
    SmallPipeline made{2, 2};
    const WorkId work = made.kernel(1, 1, 1);
    const RegionId pass =
        made.region("pass", 1, {SmallPipeline::node(work, {ValueRef::port(0)})}, {ValueRef::item(0)});
    made.finish(pass, pass);
    NotingBoundary boundary;
    // Stage 0 does forward 0, forward 1, backward 0, backward 1: it receives the gradients.
    const std::vector<std::vector<int>> expected{{0}, {0}, {1000}, {1001}};
    EXPECT_EQ(play(made.graph, 0, boundary), expected);
    const std::vector<std::pair<Task, int>> sent{{{Pass::forward, 0, 0}, 1}, {{Pass::forward, 0, 1}, 2}};
    EXPECT_EQ(boundary.sent, sent);
}

/// One stage of two chunks: the first chunk's forward, then the second's, and back.
SmallPipeline two_chunks(std::vector<Task> tasks) {
    SmallPipeline made{1};
    made.graph.schedule = {1, 2, 1, {std::move(tasks)}, {}};
    const WorkId work = made.kernel(1, 1, 1);
    const RegionId pass =
        made.region("pass", 1, {SmallPipeline::node(work, {ValueRef::port(0)})}, {ValueRef::item(0)});
    made.finish(pass, pass);
    return made;
}

TEST(ProgramCursor, HandsOverBetweenChunksOfAStage) {
    const SmallPipeline made = two_chunks(
        {{Pass::forward, 0, 0}, {Pass::forward, 1, 0}, {Pass::backward, 1, 0}, {Pass::backward, 0, 0}});
    NotingBoundary boundary;
    const std::vector<std::vector<int>> expected{{0}, {1}, {0}, {3}};
    EXPECT_EQ(play(made.graph, 0, boundary), expected);
    EXPECT_TRUE(boundary.received.empty());
    EXPECT_TRUE(boundary.sent.empty());
}

TEST(ProgramCursor, RefusesAChunkBeforeTheOneThatItWaitsFor) {
    const SmallPipeline made = two_chunks(
        {{Pass::forward, 1, 0}, {Pass::forward, 0, 0}, {Pass::backward, 1, 0}, {Pass::backward, 0, 0}});
    NotingBoundary boundary;
    EXPECT_THROW(play(made.graph, 0, boundary), ModelError);
}

TEST(ProgramCursor, SaysWhereItIs) {
    SmallPipeline made{1};
    const WorkId work = made.kernel(1, 1, 1);
    const RegionId body = made.region("body", 0, {SmallPipeline::node(work), SmallPipeline::node(work)}, {});
    const RegionId forward = made.region(
        "forward", 1, {SmallPipeline::node(work), SmallPipeline::repeat(body, 0, {})}, {ValueRef::none()});
    made.finish(forward, made.region("backward", 1, {}, {ValueRef::none()}), {2});
    NotingBoundary boundary;
    Cursor cursor{made.graph, 0};
    ASSERT_NE(cursor.next(boundary), nullptr);
    EXPECT_EQ(cursor.section(), Cursor::Section::tasks);
    EXPECT_EQ(cursor.task(), (Task{Pass::forward, 0, 0}));
    EXPECT_EQ(cursor.depth(), 1U);
    cursor.yield(1);
    std::vector<std::pair<std::int64_t, std::size_t>> places;
    std::uint64_t moves = cursor.moves();
    std::vector<bool> moved;
    while (cursor.next(boundary) != nullptr) {
        ASSERT_EQ(cursor.depth(), 2U);
        EXPECT_EQ(cursor.level(0).item, 1U);
        EXPECT_EQ(cursor.level(1).region, body);
        places.emplace_back(cursor.level(1).round, cursor.level(1).item);
        moved.push_back(cursor.moves() != moves);
        moves = cursor.moves();
        cursor.yield(1);
    }
    const std::vector<std::pair<std::int64_t, std::size_t>> expected{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    EXPECT_EQ(places, expected);
    EXPECT_EQ(moved, (std::vector<bool>{true, false, true, false}));
    EXPECT_EQ(cursor.section(), Cursor::Section::over);
}

}  // namespace
}  // namespace dse::graph
