#include "dse/model/compute/learned/release_order.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/source_dir.hpp"

namespace dse::model {
namespace {

// The same pairs are those of release_key, by which fits sort releases: tests/analysis/test_fit_kernels.py.
TEST(ReleaseOrder, is_that_of_the_fits) {
    std::ifstream file{std::string{DSE_SOURCE_DIR} + "/tests/model/compute/learned/releases.txt"};
    int pairs = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words{line};
        std::string first;
        std::string second;
        words >> first >> second;
        const bool are_equal = second == "=";
        if (are_equal) words >> second;
        EXPECT_EQ(release_before(first, second), !are_equal) << line;
        EXPECT_FALSE(release_before(second, first)) << line;
        ++pairs;
    }
    EXPECT_GE(pairs, 10);
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
