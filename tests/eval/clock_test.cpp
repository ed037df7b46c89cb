#include "eval/clock.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/sim/durations.hpp"

namespace dse::eval {
namespace {

TEST(Clock, without_ticks_is_the_engines_quantum) {
    const Clock clock{Seconds{}};
    EXPECT_EQ(clock.unit(), 1.0);
    EXPECT_EQ(clock(Seconds{0.1}), sim::quantise(0.1));
    EXPECT_EQ(clock.part(clock(Seconds{0.1}), 0.3), sim::quantise(sim::quantise(0.1) * 0.3));
    EXPECT_THROW(static_cast<void>(clock(Seconds{-1.0})), ModelError);
}

TEST(Clock, ticks_are_whole_and_add_up_exactly) {
    const Clock clock{Seconds{1e-9}};
    // What a tick is to the engine: 2^-30, of which a 1 is a billionth of a second times 2^30.
    const double tick = 0x1p-30;
    EXPECT_EQ(clock.unit(), 1e-9 / tick);
    EXPECT_EQ(clock(Seconds{1.9e-9}), tick);
    EXPECT_EQ(clock(Seconds{0.9e-9}), 0.0);
    // Every number of ticks, though most have no double of their own in seconds.
    for (double ticks = 1.0; ticks < 1e12; ticks = ticks * 3.0 + 1.0) {
        EXPECT_EQ(clock(Seconds{ticks * 1e-9}), ticks * tick) << ticks;
    }
    EXPECT_EQ(clock(Seconds{1e-6}) + clock(Seconds{2e-6}), clock(Seconds{3e-6}));
    // Of 10 ticks a third is 3.
    EXPECT_EQ(clock.part(10 * tick, 1.0 / 3.0), 3 * tick);
    EXPECT_EQ(clock.part(10 * tick, 1.0), 10 * tick);
    EXPECT_THROW(static_cast<void>(clock(Seconds{1e5})), ModelError);
}

}  // namespace
}  // namespace dse::eval
