#include "dse/sim/waits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::sim {
namespace {

using ::testing::ElementsAre;
using Stretch = Waits::Stretch;

TEST(Waits, StandInTheOrderOfTime) {
    Waits waits;
    Waits::Backwards{&waits}.add(1, 2);
    {
        Waits::Backwards wait{&waits};
        wait.add(7, 8);
        wait.add(4, 5);
    }
    EXPECT_THAT(waits.stretches(), ElementsAre(Stretch{1, 2}, Stretch{4, 5}, Stretch{7, 8}));
}

TEST(Waits, JoinNeighboursAndLeaveOutNothings) {
    Waits waits;
    Waits::Backwards{&waits}.add(1, 2);
    {
        Waits::Backwards wait{&waits};
        wait.add(5, 6);
        wait.add(3, 5);
        wait.add(2, 3);
    }
    Waits::Backwards{&waits}.add(9, 9);
    EXPECT_THAT(waits.stretches(), ElementsAre(Stretch{1, 6}));
}

}  // namespace
}  // namespace dse::sim
