#include "explore/standstill.hpp"

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

TEST(Standstill, IsReachedWhereNothingIsGainedForSoLong) {
    Archive archive;
    Standstill standstill{50};
    standstill.look_at(archive, 100);
    EXPECT_FALSE(standstill.reached(1000)) << "nothing feasible is known yet";
    archive.admit(solution({1.0, 2.0}));
    standstill.look_at(archive, 1000);
    EXPECT_FALSE(standstill.reached(1049));
    EXPECT_TRUE(standstill.reached(1050));
    archive.admit(solution({2.0, 1.0}));
    standstill.look_at(archive, 1050);
    EXPECT_FALSE(standstill.reached(1099)) << "the front has another end";
    archive.admit(solution({1.999999, 1.0}));
    standstill.look_at(archive, 1099);
    EXPECT_TRUE(standstill.reached(1100)) << "less than a thousandth is no gain";
    standstill.restart(1100);
    EXPECT_FALSE(standstill.reached(1149));
}

TEST(Standstill, WithoutPatienceNeverComes) {
    Archive archive;
    Standstill standstill{0};
    archive.admit(solution({1.0}));
    standstill.look_at(archive, 1);
    EXPECT_FALSE(standstill.reached(1'000'000'000));
}

TEST(VolumeOf, ScalesEachObjectiveToTheRangeOfBothFronts) {
    const std::vector<Solution> one{solution({-1.0, 10.0})};
    const std::vector<Solution> two{solution({-3.0, 1000.0}), solution({-1.0, 10.0})};
    // The first objective is linear, from −3 to −1; the second by logarithms, from 10 to 1,000.
    EXPECT_NEAR(volume_of(one, two), 0.1 * 1.1, 1e-12);
    EXPECT_NEAR(volume_of(two, one), 0.1 * 1.1 + 1.0 * 0.1, 1e-12);
    EXPECT_NEAR(volume_of(one, one), 1.1 * 1.1, 1e-12) << "where all are equal there is no range";
}

}  // namespace
}  // namespace dse::explore::test
