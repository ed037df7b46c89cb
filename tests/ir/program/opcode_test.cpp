#include "dse/ir/program/opcode.hpp"

#include <variant>

#include <gtest/gtest.h>

#include "dse/ir/program/opcode_traits.hpp"

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

TEST(OpcodeTraits, SayWhatIsNotAsItMostlyIs) {
    EXPECT_EQ(traits(Opcode::select).operands.most, 3U);
    EXPECT_EQ(traits(Opcode::select).pattern, 1U);
    EXPECT_EQ(traits(Opcode::while_loop).called, 2U);
    EXPECT_TRUE(traits(Opcode::compare).answers);
    EXPECT_TRUE(std::holds_alternative<Comparison>(traits(Opcode::compare).attribute()));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(traits(Opcode::add).attribute()));
    EXPECT_EQ(traits(Opcode::slice).view, View::of_fx);
    EXPECT_EQ(traits(Opcode::softmax).kernel, KernelKind::softmax);
    EXPECT_EQ(traits(Opcode::dropout).recomputed, Recomputed::never);
}

TEST(OpcodeTraits, CountOperands) {
    EXPECT_EQ(exactly(2).fewest, 2U);
    EXPECT_EQ(exactly(2).most, 2U);
    EXPECT_EQ(at_least(2).fewest, 2U);
    EXPECT_GT(at_least(2).most, 1'000'000U);
}

// An element-wise operator's pattern is one of its operands; what begins an exchange makes the same one as
// what does it at once, and ends elsewhere.
TEST(OpcodeTraits, DoNotContradictEachOther) {
    for (std::size_t i = 0; i < opcode_count; ++i) {
        const auto opcode = static_cast<Opcode>(i);
        const OpcodeTraits& known = traits(opcode);
        EXPECT_LE(known.operands.fewest, known.operands.most) << known.name;
        if (known.result == ResultType::elementwise) {
            EXPECT_LT(known.pattern, known.operands.fewest) << known.name;
        }
        if (known.start_of != Opcode::unknown) {
            EXPECT_EQ(known.exchange, traits(known.start_of).exchange) << known.name;
            EXPECT_FALSE(known.ends_communication) << known.name;
        }
        if (known.exchange != Exchange::none) {
            EXPECT_EQ(known.family, OpcodeClass::communication) << known.name;
            EXPECT_TRUE(std::holds_alternative<Communication>(known.attribute())) << known.name;
        }
    }
}

TEST(OpcodeTraits, EndsWaitForWhatBeganElsewhere) {
    for (const Opcode opcode : {Opcode::all_reduce_done, Opcode::all_gather_done,
                                Opcode::collective_permute_done, Opcode::recv_done, Opcode::async_done})
        EXPECT_TRUE(traits(opcode).ends_communication) << name(opcode);
    for (const Opcode opcode : {Opcode::all_reduce, Opcode::all_reduce_start, Opcode::send, Opcode::send_done,
                                Opcode::copy_done, Opcode::async_update})
        EXPECT_FALSE(traits(opcode).ends_communication) << name(opcode);
}

}  // namespace
}  // namespace dse::ir
