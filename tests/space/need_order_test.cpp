#include "space/need_order.hpp"

#include <gtest/gtest.h>

namespace dse::space {
namespace {

using Order = std::vector<std::size_t>;

TEST(NeedOrder, PutsNeedsFirstAndKeepsTheRest) {
    EXPECT_EQ(order_by_need({{}, {}, {}}).order, (Order{0, 1, 2}));
    EXPECT_EQ(order_by_need({{2}, {}, {1}}).order, (Order{1, 2, 0}));
    EXPECT_EQ(order_by_need({{1, 2}, {3}, {3}, {}}).order, (Order{3, 1, 2, 0}));
}

TEST(NeedOrder, ShowsACycle) {
    const NeedOrder result = order_by_need({{}, {2}, {3}, {1}});
    EXPECT_TRUE(result.order.empty());
    EXPECT_EQ(result.cycle, (Order{1, 2, 3}));
    EXPECT_EQ(order_by_need({{0}}).cycle, (Order{0}));
}

TEST(NeedOrder, TakesLongChains) {
    std::vector<Order> chain(200000);
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) chain[i] = {i + 1};
    EXPECT_EQ(order_by_need(chain).order.front(), chain.size() - 1);
}

}  // namespace
}  // namespace dse::space
