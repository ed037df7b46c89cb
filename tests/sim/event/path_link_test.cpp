#include "sim/event/path_link.hpp"

#include <gtest/gtest.h>

namespace dse::sim::event {
namespace {

PathLinkPtr link(Pool<PathLink>& links, PathLinkPtr before, double start) {
    PathLinkPtr made = links.make();
    made->before = std::move(before);
    made->start = start;
    return made;
}

/// Were each link's end the next one's, the stack would not be deep enough.
TEST(PathLink, ChainsOfMillionsEnd) {
    Pool<PathLink> links;
    PathLinkPtr last;
    for (int i = 0; i < 3'000'000; ++i) last = link(links, std::move(last), i);
    EXPECT_EQ(last->start, 2'999'999);
    last = nullptr;
}

TEST(PathLink, WhatSomebodyElseComesFromStays) {
    Pool<PathLink> links;
    const PathLinkPtr shared = link(links, link(links, nullptr, 0), 1);
    PathLinkPtr one = link(links, link(links, shared, 2), 3);
    const PathLinkPtr other = link(links, shared, 4);
    one = nullptr;
    EXPECT_EQ(other->before->start, 1);
    EXPECT_EQ(other->before->before->start, 0);
    EXPECT_EQ(shared->references, 2U);
}

}  // namespace
}  // namespace dse::sim::event
