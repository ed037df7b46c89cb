#include "dse/base/human_count.hpp"

#include <gtest/gtest.h>

namespace dse {
namespace {

TEST(HumanCount, GroupsByThousands) {
    EXPECT_EQ(human_count(std::uint64_t{0}), "0");
    EXPECT_EQ(human_count(std::uint64_t{999}), "999");
    EXPECT_EQ(human_count(std::uint64_t{1000}), "1,000");
    EXPECT_EQ(human_count(std::uint64_t{1234567}), "1,234,567");
    EXPECT_EQ(human_count(1e18), "1e+18");
}

}  // namespace
}  // namespace dse
