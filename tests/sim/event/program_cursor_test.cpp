#include "dse/sim/event/program_cursor.hpp"

#include <gtest/gtest.h>

#include "support/small_graph.hpp"

namespace dse::sim::event {
namespace {

using test::SmallGraph;
using workload::Peer;
using workload::RegionId;
using workload::Task;
using workload::ValueRef;

/// Notes what a program asks for.
class NotingBoundary final : public Boundary {
  public:
    Value receive(const Task& task, const Peer& from) override {
        received.emplace_back(task, from.kind);
        return from.kind == Peer::Kind::none ? Value{} : Value{message, Signal::arrived};
    }
    void send(const Task& task, const Peer& to, const Value& value) override {
        sent.emplace_back(task, to.kind);
        last_value = value.producer;
    }
    ActivityPtr message = std::make_shared<Activity>();
    std::vector<std::pair<Task, Peer::Kind>> received;
    std::vector<std::pair<Task, Peer::Kind>> sent;
    ActivityPtr last_value;
};

// Forward: a body of two kernels three times, then a kernel; what the body yields goes round: port 0 is the
// second kernel of the iteration before, port 1 the first kernel of the one before that.
TEST(ProgramCursor, UnrollsAsItGoes) {
    SmallGraph made;
    const workload::WorkId first = made.kernel(1);
    const workload::WorkId second = made.kernel(1);
    const RegionId body = made.region(3,
                                      {SmallGraph::node(first, {ValueRef::port(0)}),
                                       SmallGraph::node(second, {ValueRef::item(0), ValueRef::port(1)})},
                                      {ValueRef::item(1), ValueRef::port(2), ValueRef::item(0)});
    const RegionId forward =
        made.region(1,
                    {SmallGraph::repeat(body, 0, {ValueRef::port(0), ValueRef::none(), ValueRef::none()}),
                     SmallGraph::node(made.kernel(1), {ValueRef::item(0, 0), ValueRef::item(0, 1)})},
                    {ValueRef::item(1)});
    made.program(forward, made.pass(1), {3});
    made.finish();

    NotingBoundary boundary;
    ProgramCursor cursor{made.graph, 0};
    std::vector<ActivityPtr> nodes;
    std::vector<std::vector<Value>> inputs;
    while (cursor.next(boundary) != nullptr) {
        inputs.push_back(cursor.inputs());
        nodes.push_back(std::make_shared<Activity>());
        cursor.yield({nodes.back(), Signal::value});
    }
    ASSERT_EQ(nodes.size(), 3U * 2U + 1U + 1U);
    EXPECT_EQ(inputs[0][0].producer, nullptr);  // the only stage's boundary
    EXPECT_EQ(inputs[1][0].producer, nodes[0]);
    EXPECT_EQ(inputs[1][1].producer, nullptr);
    EXPECT_EQ(inputs[2][0].producer, nodes[1]);
    EXPECT_EQ(inputs[3][1].producer, nullptr);
    EXPECT_EQ(inputs[5][1].producer, nodes[0]);
    EXPECT_EQ(inputs[6][0].producer, nodes[5]);
    EXPECT_EQ(inputs[6][1].producer, nodes[2]);
    EXPECT_EQ(boundary.received.size(), 2U);
    EXPECT_EQ(boundary.sent.size(), 2U);
    EXPECT_EQ(cursor.next(boundary), nullptr);
}

TEST(ProgramCursor, ReceivesAndSendsOncePerTask) {
    SmallGraph made;
    made.pipeline(workload::ScheduleKind::one_f_one_b, 3, 2);
    made.program(made.pass(1), made.pass(2), {});
    made.finish();
    NotingBoundary boundary;
    ProgramCursor cursor{made.graph, 1};
    while (cursor.next(boundary) != nullptr) {
        EXPECT_EQ(cursor.inputs()[0].producer, boundary.message);
        cursor.yield({std::make_shared<Activity>(), Signal::value});
    }
    ASSERT_EQ(boundary.received.size(), 4U);
    ASSERT_EQ(boundary.sent.size(), 4U);
    for (std::size_t t = 0; t < 4; ++t) {
        EXPECT_EQ(boundary.received[t].first, made.graph.schedule.tasks[1][t]);
        EXPECT_EQ(boundary.received[t].second, Peer::Kind::stage);
        EXPECT_EQ(boundary.sent[t].second, Peer::Kind::stage);
    }
}

}  // namespace
}  // namespace dse::sim::event
