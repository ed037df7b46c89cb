#include "ir/partition/opcode_parts.hpp"

#include <gtest/gtest.h>

#include "ir/partition/plain_factors.hpp"

namespace dse::ir::partition {
namespace {

TEST(OpcodeParts, ElementwiseOperatorsLieAsTheirOperands) {
    for (std::size_t i = 0; i < opcode_count; ++i) {
        const auto opcode = static_cast<Opcode>(i);
        const OpcodeClass family = opcode_class(opcode);
        if (family != OpcodeClass::elementwise && family != OpcodeClass::transcendental) continue;
        EXPECT_EQ(opcode_parts(opcode).rule, &elementwise_rule) << name(opcode);
        EXPECT_EQ(opcode_parts(opcode).passage, Passage::elementwise) << name(opcode);
    }
}

// What is no computation has no factors to compute it by.
TEST(OpcodeParts, OnlyComputationsHaveFactors) {
    for (std::size_t i = 0; i < opcode_count; ++i) {
        const auto opcode = static_cast<Opcode>(i);
        if (opcode_parts(opcode).role != Role::compute) {
            EXPECT_EQ(opcode_parts(opcode).rule, nullptr) << name(opcode);
        }
        if (opcode_class(opcode) == OpcodeClass::communication) {
            EXPECT_EQ(opcode_parts(opcode).rule, nullptr) << name(opcode);
        }
    }
    EXPECT_EQ(opcode_parts(Opcode::while_loop).role, Role::loop);
    EXPECT_EQ(opcode_parts(Opcode::reshard).role, Role::reshard);
    EXPECT_EQ(opcode_parts(Opcode::terminator).role, Role::finish);
    EXPECT_NE(opcode_parts(Opcode::dot).rule, nullptr);
}

}  // namespace
}  // namespace dse::ir::partition
