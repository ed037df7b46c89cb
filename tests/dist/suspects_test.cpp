#include "dist/suspects.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/dist/crash_record.hpp"
#include "support/temporary_folder.hpp"

namespace dse::dist {
namespace {

using dse::test::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

const results::IntervalSet everything{{{0, 1000}}};

TEST(Suspects, AreNoneWithoutAFolder) {
    const Suspects suspects{{}, everything};
    EXPECT_THAT(suspects.once(), IsEmpty());
    EXPECT_EQ(suspects.at_work(1, {0, 1000}), std::nullopt);
}

TEST(Suspects, ComeFromTheRecordsOfEarlierRuns) {
    const TemporaryFolder folder;
    folder.write("crashes", "5\n9\n5\n20\n");
    EXPECT_THAT(Suspects(folder.path(), everything).once(), ElementsAre(9, 20));
    EXPECT_THAT(Suspects(folder.path(), everything).condemned(), ElementsAre(5));
    // What is settled is not suspected any more.
    EXPECT_THAT(Suspects(folder.path(), results::IntervalSet{{{0, 10}}}).once(), ElementsAre(9));
}

TEST(Suspects, AreCondemnedAtTheSecondLoss) {
    const TemporaryFolder folder;
    Suspects suspects{folder.path(), everything};
    EXPECT_FALSE(suspects.strike(3));
    EXPECT_FALSE(suspects.strike(4));
    EXPECT_TRUE(suspects.strike(3));
    EXPECT_THAT(suspects.condemned(), ElementsAre(3));
    EXPECT_THAT(suspects.once(), ElementsAre(4));
}

TEST(Suspects, AreLookedForInTheLeasesOfALostRank) {
    const TemporaryFolder folder;
    CrashRecord record{folder.path(), 6};
    const Suspects suspects{folder.path(), everything};
    record.begin(50);
    EXPECT_EQ(suspects.at_work(6, {50, 1}), 50U);
    EXPECT_EQ(suspects.at_work(6, {40, 11}), 50U);
    EXPECT_EQ(suspects.at_work(6, {40, 10}), std::nullopt);
    EXPECT_EQ(suspects.at_work(6, {51, 10}), std::nullopt);
    EXPECT_EQ(suspects.at_work(7, {40, 11}), std::nullopt);
}

}  // namespace
}  // namespace dse::dist
