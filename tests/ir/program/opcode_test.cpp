#include "dse/ir/program/opcode.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(Opcode, IsFoundByTheNameItHas) {
    for (int i = 0; i <= static_cast<int>(Opcode::unknown); ++i) {
        const auto code = static_cast<Opcode>(i);
        EXPECT_EQ(opcode(name(code)), code) << name(code);
    }
}

TEST(Opcode, IsFoundAsHloWritesIt) {
    EXPECT_EQ(opcode("all-gather-start"), Opcode::all_gather_start);
    EXPECT_EQ(opcode("while"), Opcode::while_loop);
    EXPECT_EQ(opcode("and"), Opcode::logical_and);
    EXPECT_EQ(opcode("no-such-thing"), std::nullopt);
}

TEST(Opcode, HasAFamily) {
    EXPECT_EQ(opcode_class(Opcode::add), OpcodeClass::elementwise);
    EXPECT_EQ(opcode_class(Opcode::rsqrt), OpcodeClass::transcendental);
    EXPECT_EQ(opcode_class(Opcode::dot), OpcodeClass::contraction);
    EXPECT_EQ(opcode_class(Opcode::while_loop), OpcodeClass::control);
    EXPECT_EQ(opcode_class(Opcode::unknown), OpcodeClass::foreign);
}

}  // namespace
}  // namespace dse::ir
