#include "dse/serving/adapter_slots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::serving {
namespace {

/// Two places. The third adapter has to wait for one of them, and takes that of the one unused for longest.
TEST(AdapterSlots, HoldAdaptersUntilOthersNeedTheirPlace) {
    AdapterSlots slots{4, 2};
    EXPECT_TRUE(slots.enter(0)) << "loaded";
    EXPECT_TRUE(slots.enter(1));
    EXPECT_FALSE(slots.enter(0)) << "here already";
    EXPECT_FALSE(slots.allow(2));
    slots.leave(0);
    EXPECT_FALSE(slots.allow(2)) << "one more request names adapter 0";
    slots.leave(1);
    slots.leave(0);
    EXPECT_THAT(slots.active(), ::testing::IsEmpty());
    EXPECT_FALSE(slots.enter(1)) << "still here";
    slots.leave(1);
    EXPECT_TRUE(slots.enter(2)) << "in the place of adapter 0";
    EXPECT_FALSE(slots.enter(1));
    EXPECT_THAT(slots.active(), ::testing::UnorderedElementsAre(1U, 2U));
}

TEST(AdapterSlots, KnowWhoWaitsByAdapter) {
    AdapterSlots slots{2, 1};
    for (std::size_t number = 0; number < 100; ++number) slots.wait(number % 2 == 0 ? 0U : 1U, number);
    EXPECT_EQ(slots.first(0), 0U);
    EXPECT_EQ(slots.first(1), 1U);
    for (std::size_t number = 1; number < 100; number += 2) {
        EXPECT_EQ(slots.first(1), number);
        slots.pop(1);
        slots.wait(0, 100 + number);
    }
    EXPECT_EQ(slots.first(1), AdapterSlots::nobody);
    EXPECT_EQ(slots.first(0), 0U);
}

}  // namespace
}  // namespace dse::serving
