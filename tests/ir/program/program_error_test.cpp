#include "dse/ir/program/program_error.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(ProgramError, NamesItsLineAndItsFile) {
    const ProgramError error{7, "no"};
    EXPECT_STREQ(error.what(), "line 7: no");
    EXPECT_EQ(error.line(), 7U);
    EXPECT_EQ(error.reason(), "no");
    EXPECT_EQ(error.in("a/b.mlir"), "a/b.mlir:7: no");
}

TEST(ProgramError, IsCaughtAsAModelsError) {
    EXPECT_THROW(throw ProgramError(1, "no"), ModelError);
}

}  // namespace
}  // namespace dse::ir
