#include "sim/event/path_link.hpp"

#include <gtest/gtest.h>

namespace dse::sim::event {
namespace {

PathLinkPtr link(PathLinkPtr before, double start) {
    return std::make_shared<PathLink>(std::move(before), start, graph::WorkId{0}, Place{0, 0});
}

/// Were each link's end the next one's, the stack would not be deep enough.
TEST(PathLink, ChainsOfMillionsEnd) {
    PathLinkPtr last;
    for (int i = 0; i < 3'000'000; ++i) last = link(std::move(last), i);
    EXPECT_EQ(last->start, 2'999'999);
    last.reset();
}

TEST(PathLink, WhatSomebodyElseComesFromStays) {
    const PathLinkPtr shared = link(link(nullptr, 0), 1);
    PathLinkPtr one = link(link(shared, 2), 3);
    const PathLinkPtr other = link(shared, 4);
    one.reset();
    EXPECT_EQ(other->before->start, 1);
    EXPECT_EQ(other->before->before->start, 0);
    EXPECT_EQ(shared.use_count(), 2);
}

}  // namespace
}  // namespace dse::sim::event
