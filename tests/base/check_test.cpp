#include "dse/base/check.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse {
namespace {

TEST(Check, RequirementIsCheckedInEveryBuild) {
    EXPECT_NO_THROW(DSE_REQUIRE(1 + 1 == 2));
    EXPECT_THROW(DSE_REQUIRE(1 + 1 == 3), ContractViolation);
}

TEST(Check, MessageNamesPlaceKindAndCondition) {
    const int line = __LINE__ + 2;
    try {
        DSE_REQUIRE(2 * 2 == 5);
        FAIL() << "nothing was thrown";
    } catch (const ContractViolation& violation) {
        EXPECT_THAT(violation.what(), testing::HasSubstr("check_test.cpp:" + std::to_string(line) + ":"));
        EXPECT_THAT(violation.what(), testing::HasSubstr("requirement"));
        EXPECT_THAT(violation.what(), testing::HasSubstr("2 * 2 == 5"));
    }
}

#ifdef NDEBUG
TEST(Check, ContractsCostNothingInARelease) {
    int evaluations = 0;
    DSE_EXPECT(++evaluations > 0);
    DSE_ENSURE(++evaluations > 0);
    DSE_ASSERT(++evaluations > 0);
    EXPECT_EQ(evaluations, 0);
}
#else
TEST(Check, ContractsAreCheckedInADebugBuild) {
    EXPECT_THROW(DSE_EXPECT(false), ContractViolation);
    EXPECT_THROW(DSE_ENSURE(false), ContractViolation);
    EXPECT_THROW(DSE_ASSERT(false), ContractViolation);
    EXPECT_NO_THROW(DSE_EXPECT(true));
}
#endif

TEST(Check, IsOneStatementBehindAnIf) {
    bool reached_else = false;
    // Without braces: a macro of several statements would not compile or would take the else.
    if (reached_else)
        DSE_REQUIRE(false);
    else
        reached_else = true;
    EXPECT_TRUE(reached_else);
}

TEST(Check, ConditionIsEvaluatedOnce) {
    int evaluations = 0;
    DSE_REQUIRE(++evaluations == 1);
    EXPECT_EQ(evaluations, 1);
}

}  // namespace
}  // namespace dse
