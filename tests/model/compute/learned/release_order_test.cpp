#include "dse/model/compute/learned/release_order.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

TEST(ReleaseOrder, numbers_count_as_numbers) {
    EXPECT_TRUE(release_before("0.9.2", "0.14.0"));
    EXPECT_FALSE(release_before("0.14.0", "0.9.2"));
    EXPECT_TRUE(release_before("0.5.6", "0.5.6.post2"));
    EXPECT_FALSE(release_before("0.14", "0.14.0"));
}

TEST(ReleaseOrder, candidates_come_before_their_release) {
    EXPECT_TRUE(release_before("1.3.0rc20", "1.3.0"));
    EXPECT_TRUE(release_before("1.3.0rc5", "1.3.0rc20"));
    EXPECT_TRUE(release_before("1.2.0", "1.3.0rc1"));
    EXPECT_TRUE(release_before("0.1.dev19262", "0.1.0"));
}

TEST(ReleaseOrder, the_newest_before_stands_for_a_release_else_the_oldest) {
    const std::vector<std::string> known{"0.24.0", "0.14.0", "0.19.0"};
    EXPECT_EQ(nearest_release("0.19.0", known), 2U);
    EXPECT_EQ(nearest_release("0.23.1", known), 2U);
    EXPECT_EQ(nearest_release("1.0", known), 0U);
    EXPECT_EQ(nearest_release("0.5", known), 1U);
}

TEST(ReleaseOrder, names_of_releases_begin_with_a_number) {
    EXPECT_TRUE(is_release("1.3.0rc20"));
    EXPECT_FALSE(is_release(""));
    EXPECT_FALSE(is_release("v0.24"));
    EXPECT_FALSE(is_release("0.24 "));
}

}  // namespace
}  // namespace dse::model
