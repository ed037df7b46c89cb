#include "dse/ir/program/program.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir {
namespace {

TEST(Program, BeginsWithNoNameNoAttributeAndNoSharding) {
    const Program program;
    EXPECT_EQ(program.text(no_name), "");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(program.attributes[no_attribute.index()]));
    EXPECT_TRUE(program.shardings[no_sharding.index()].empty());
    EXPECT_EQ(program.devices(), 1);
}

TEST(Program, NeedsAnEntry) {
    EXPECT_THROW(validate(Program{}), ContractViolation);
}

TEST(Language, HasAName) {
    EXPECT_EQ(name(Language::mlir), "MLIR");
}

}  // namespace
}  // namespace dse::ir
