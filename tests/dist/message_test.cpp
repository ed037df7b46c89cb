#include "dse/dist/message.hpp"

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

TEST(Message, HoldsTextUpToItsBound) {
    Message message;
    EXPECT_EQ(message.text_view(), "");
    message.set_text("no space");
    EXPECT_EQ(message.text_view(), "no space");
    message.set_text(std::string(1000, 'x'));
    EXPECT_EQ(message.text_view(), std::string(Message::text_bytes - 1, 'x'));
    message.set_text("y");
    EXPECT_EQ(message.text_view(), "y");
}

TEST(Tally, AddsUp) {
    Tally sum{.indices = 1, .rows = 2, .infeasible = 3, .failures = 4};
    sum += {.indices = 10, .rows = 20, .infeasible = 30, .failures = 40};
    EXPECT_EQ(sum, (Tally{.indices = 11, .rows = 22, .infeasible = 33, .failures = 44}));
}

}  // namespace
}  // namespace dse::dist
