#include "trace/kineto/host_timeline.hpp"

#include <gtest/gtest.h>

#include "profile_text.hpp"

namespace dse::trace::kineto {
namespace {

TEST(HostTimeline, JoinsWhatOverlaps) {
    test::ProfileText text;
    text.host("cpu_op", "outer", 1, 0, 10);
    text.host("cpu_op", "inner", 1, 2, 3);
    text.call("cudaLaunchKernel", 1, 10, 2, 1);
    text.host("cpu_op", "next", 1, 20, 5);
    text.host("user_annotation", "all of it", 1, 0, 100);
    text.host("cpu_op", "other", 2, 12, 8);
    const auto busy = busy_spans(text.read());
    ASSERT_EQ(busy.size(), 2U);
    ASSERT_EQ(busy.at(1).size(), 2U);
    EXPECT_EQ(busy.at(1)[0].end, 12000);
    EXPECT_EQ(busy.at(1)[1].start, 20000);
}

TEST(HostTimeline, FindsWhoWorksForWhom) {
    using Spans = std::map<std::int64_t, std::vector<Span>>;
    const Spans called{{1, {{0, 10}, {100, 110}}}, {2, {{15, 40}, {45, 95}}}};
    const auto found = hand_offs(called);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].caller, 1);
    EXPECT_EQ(found[0].worker, 2);
    EXPECT_EQ(found[0].work.start, 15);
    EXPECT_EQ(found[0].work.end, 95);
    // Less than half of the gap; at work before the gap; still at work behind it; side by side.
    EXPECT_TRUE(hand_offs(Spans{{1, {{0, 10}, {100, 110}}}, {2, {{15, 40}}}}).empty());
    EXPECT_TRUE(hand_offs(Spans{{1, {{0, 10}, {100, 110}}}, {2, {{5, 90}}}}).empty());
    EXPECT_TRUE(hand_offs(Spans{{1, {{0, 10}, {100, 110}}}, {2, {{15, 105}}}}).empty());
    EXPECT_TRUE(hand_offs(Spans{{1, {{0, 100}}}, {2, {{0, 100}}}}).empty());
}

}  // namespace
}  // namespace dse::trace::kineto
