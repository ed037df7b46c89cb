#include "dse/hardware/device/vector_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::hardware {
namespace {

TEST(VectorSpec, lanes_need_the_time_of_an_element) {
    VectorSpec vector;
    EXPECT_FALSE(vector.exists());
    EXPECT_TRUE(problems_of(vector).empty());
    vector.lanes = 128;
    EXPECT_THAT(problems_of(vector).text(), ::testing::HasSubstr("per_element"));
    vector.per_element = Seconds{1e-11};
    EXPECT_TRUE(problems_of(vector).empty());
}

}  // namespace
}  // namespace dse::hardware
