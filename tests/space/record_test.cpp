#include "dse/space/record.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::space {
namespace {

TEST(Status, IsNamedByItsEnumerator) {
    EXPECT_EQ(name(Status::ok), "ok");
    EXPECT_EQ(name(Status::out_of_memory), "out_of_memory");
    EXPECT_EQ(name(Status::outside_validity), "outside_validity");
    EXPECT_EQ(name(Status::failed), "failed");
    EXPECT_EQ(name(Status::timed_out), "timed_out");
    EXPECT_THROW(name(static_cast<Status>(0)), ContractViolation);
}

TEST(Status, IsAFailureWhereNothingIsKnownOfThePoint) {
    EXPECT_TRUE(is_failure(Status::failed));
    EXPECT_TRUE(is_failure(Status::timed_out));
    EXPECT_FALSE(is_failure(Status::ok));
    EXPECT_FALSE(is_failure(Status::out_of_memory));
    EXPECT_FALSE(is_failure(Status::outside_validity));
}

}  // namespace
}  // namespace dse::space
