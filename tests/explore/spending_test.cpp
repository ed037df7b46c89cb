#include "explore/spending.hpp"

#include <gtest/gtest.h>

namespace dse::explore {
namespace {

space::Record taken(std::int32_t rank, double seconds) {
    space::Record record;
    record.rank = rank;
    record.wall_seconds = seconds;
    return record;
}

TEST(Spending, IsOfTheBusiestRankAndOfAllTogether) {
    space::SearchSpec search;
    search.time_budget = Seconds{4.0};
    Spending time{search};
    search.time_budget = Seconds{0.0};
    search.cpu_budget = Seconds{10.0};
    Spending cpu{search};
    search.time_budget = Seconds{4.0};
    Spending both{search};
    for (Spending* spending : {&time, &cpu, &both}) {
        spending->add(taken(0, 1.0));
        spending->add(taken(1, 1.0));
        spending->add(taken(0, 1.0));
    }
    EXPECT_DOUBLE_EQ(time.share(), 0.5);
    EXPECT_DOUBLE_EQ(cpu.share(), 0.3);
    EXPECT_DOUBLE_EQ(both.share(), 0.5);
}

TEST(Spending, HasItsOwnOnRankZero) {
    space::SearchSpec search;
    search.time_budget = Seconds{4.0};
    Spending spending{search};
    spending.add(taken(0, 1.0));
    spending.add(taken(1, 2.5));
    spending.add_own(1.0);
    EXPECT_DOUBLE_EQ(spending.share(), 2.5 / 4.0);
    spending.add_own(1.0);
    EXPECT_DOUBLE_EQ(spending.share(), 3.0 / 4.0);
}

TEST(Spending, WithoutABudgetIsNone) {
    Spending spending{space::SearchSpec{}};
    spending.add(taken(0, 1e9));
    EXPECT_EQ(spending.share(), 0.0);
}

}  // namespace
}  // namespace dse::explore
