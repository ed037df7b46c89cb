#include "dse/dist/message.hpp"

#include <string>

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

TEST(Message, GoesOverAWireWithABodyOfAnySize) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3'000'000}}) {
        Message message;
        message.kind = MessageKind::committed;
        message.lost = 3;
        message.range = {7, 9};
        message.tally.rows = 5;
        message.busy_seconds = 0.25;
        message.body = std::string(size, 'x');
        const Message copy = from_bytes(to_bytes(message, 4));
        EXPECT_EQ(copy.kind, MessageKind::committed);
        EXPECT_EQ(copy.sender, 4);
        EXPECT_EQ(copy.lost, 3);
        EXPECT_EQ(copy.range, (Range{7, 9}));
        EXPECT_EQ(copy.tally, message.tally);
        EXPECT_EQ(copy.busy_seconds, 0.25);
        EXPECT_EQ(copy.body, message.body);
    }
}

TEST(Message, IsSmallWithoutABody) {
    EXPECT_LE(to_bytes({}, 0).size(), 96U);
}

TEST(Tally, AddsUp) {
    Tally sum{.indices = 1, .rows = 2, .infeasible = 3, .failures = 4};
    sum += {.indices = 10, .rows = 20, .infeasible = 30, .failures = 40};
    EXPECT_EQ(sum, (Tally{.indices = 11, .rows = 22, .infeasible = 33, .failures = 44}));
}

}  // namespace
}  // namespace dse::dist
