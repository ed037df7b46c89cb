#include "dse/sim/waits.hpp"

#include <vector>

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

TEST(Waits, AreAppendedLaterAndJoined) {
    Waits waits;
    Waits::Backwards{&waits}.add(1, 4);
    waits.append(std::vector<Stretch>{{1, 2}, {3, 5}}, 3);
    EXPECT_THAT(waits.stretches(), ElementsAre(Stretch{1, 5}, Stretch{6, 8}));
    waits.append({}, 3);
    EXPECT_EQ(waits.stretches().size(), 2U);
}

// From 4 to 8 there are waits until 5, and from 6 on: twice again.
TEST(Waits, AreRepeatedAsFarAsTheyLieInTheStretch) {
    Waits waits;
    Waits::Backwards{&waits}.add(3, 5);
    Waits::Backwards{&waits}.add(6, 7);
    waits.repeat(4, 8, 2);
    EXPECT_THAT(waits.stretches(), ElementsAre(Stretch{3, 5}, Stretch{6, 7}, Stretch{8, 9}, Stretch{10, 11},
                                               Stretch{12, 13}, Stretch{14, 15}));
}

}  // namespace
}  // namespace dse::sim
