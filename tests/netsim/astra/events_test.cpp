#include "dse/netsim/astra/events.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace dse::netsim {
namespace {

TEST(AstraEvents, refuse_times_that_have_overflowed) {
    AstraEvents events{1};
    events.at(10, [&] { EXPECT_THROW(events.at(9, [] {}), ModelError); });
    EXPECT_THROW(events.at(std::numeric_limits<Ticks>::max(), [] {}), ModelError);
    events.run();
    EXPECT_EQ(events.now(), 10);
}

// A play without an end is ended from outside.
TEST(AstraEvents, ask_whether_to_go_on) {
    AstraEvents events{1};
    std::function<void()> again = [&] { events.at(events.now() + 1, again); };
    again();
    const CheckpointScope scope{[] { throw std::runtime_error{"enough"}; }};
    EXPECT_THROW(events.run(), std::runtime_error);
}

}  // namespace
}  // namespace dse::netsim
