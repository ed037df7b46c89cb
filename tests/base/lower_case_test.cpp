#include "dse/base/lower_case.hpp"

#include <gtest/gtest.h>

namespace dse {
namespace {

TEST(LowerCase, ChangesLettersAlone) {
    EXPECT_EQ(lower_case(""), "");
    EXPECT_EQ(lower_case("H100-SXM AZ[`az{"), "h100-sxm az[`az{");
    EXPECT_EQ(lower_case("µ É"), "µ É") << "bytes of other characters stay";
}

}  // namespace
}  // namespace dse
