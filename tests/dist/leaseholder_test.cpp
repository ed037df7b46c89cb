#include "dist/leaseholder.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::dist {
namespace {

using testing::ElementsAre;

TEST(Leaseholder, WantsTwoLeasesAtATime) {
    Leaseholder worker;
    EXPECT_TRUE(worker.wants_lease());
    worker.lease({0, 10});
    EXPECT_TRUE(worker.wants_lease());
    worker.lease({10, 10});
    EXPECT_FALSE(worker.wants_lease());
    worker.evaluated({0, 10}, 2.0);
    EXPECT_TRUE(worker.wants_lease());
    EXPECT_EQ(worker.rate(), 5.0);
    worker.evaluated({10, 10}, 1.0);
    EXPECT_EQ(worker.rate(), 7.5);  // the mean of before and now
}

TEST(Leaseholder, HoldsWhatIsNotOnDisk) {
    Leaseholder worker;
    worker.lease({0, 10});
    worker.lease({50, 10});
    worker.evaluated({0, 10}, 1.0);
    EXPECT_TRUE(worker.holds_leases());
    worker.committed({0, 4});
    EXPECT_THAT(worker.lose(), ElementsAre(Range{4, 6}, Range{50, 10}));
    EXPECT_FALSE(worker.holds_leases());
}

TEST(Leaseholder, TakesOneCommitForLeasesThatTouch) {
    Leaseholder worker;
    worker.lease({0, 10});
    worker.lease({10, 10});
    worker.committed({0, 15});
    EXPECT_THAT(worker.lose(), ElementsAre(Range{15, 5}));
}

TEST(Leaseholder, OfALeaseThatWasTakenAwayACommitMeansNothing) {
    Leaseholder worker;
    worker.lease({0, 10});
    worker.lose();
    EXPECT_TRUE(worker.lost());
    EXPECT_FALSE(worker.wants_lease());
    worker.heard();
    EXPECT_TRUE(worker.wants_lease());
    worker.lease({10, 10});
    worker.committed({0, 10});
    EXPECT_TRUE(worker.holds_leases());
    // The lease that was taken away and the next one touch: the part that is still its own counts.
    worker.committed({5, 10});
    EXPECT_THAT(worker.lose(), ElementsAre(Range{15, 5}));
}

TEST(Leaseholder, IsSilentAfterAWhile) {
    Leaseholder worker;
    EXPECT_FALSE(worker.silent_for(std::chrono::seconds{10}));
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
    EXPECT_TRUE(worker.silent_for(std::chrono::milliseconds{2}));
    worker.heard();
    EXPECT_FALSE(worker.silent_for(std::chrono::seconds{10}));
}

TEST(Leaseholder, WantsNothingWhenItIsClosed) {
    Leaseholder worker;
    worker.close();
    EXPECT_FALSE(worker.wants_lease());
    EXPECT_FALSE(worker.active());
}

}  // namespace
}  // namespace dse::dist
