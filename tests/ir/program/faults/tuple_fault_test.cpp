#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;

TEST(TupleFault, ElementsAreThoseOfTheTuple) {
    const std::string pair = "(f32[4]{0}, (s32[], f32[2,3]))";
    EXPECT_EQ(fault_in_hlo({pair}, "f32[4] get-tuple-element(p0), index=0"), "");
    EXPECT_EQ(fault_in_hlo({pair}, "(s32[], f32[2,3]{0,1}) get-tuple-element(p0), index=1"), "");
    EXPECT_EQ(fault_in_hlo({pair}, "f32[5] get-tuple-element(p0), index=0"),
              "element 0 of its operand is f32[4], but its result is f32[5]");
    EXPECT_NE(fault_in_hlo({pair}, "bf16[4] get-tuple-element(p0), index=0"), "");
    EXPECT_EQ(fault_in_hlo({pair}, "(s32[], f32[2]) get-tuple-element(p0), index=1"),
              "element 1 of its operand is f32[2,3] (element 1), but its result is f32[2]");
    EXPECT_NE(fault_in_hlo({pair}, "(s32[]) get-tuple-element(p0), index=1"), "");
    EXPECT_EQ(fault_in_hlo({pair}, "f32[4] get-tuple-element(p0), index=2"),
              "(f32[4], (s32[], f32[2,3])) has no element 2");
    EXPECT_EQ(fault_in_hlo({"(f32[<=4])"}, "f32[3] get-tuple-element(p0), index=0"), "") << "a run decides";
}

TEST(TupleFault, TuplesHoldWhatTheyAreGiven) {
    EXPECT_EQ(fault_in_hlo({"f32[4]", "s32[]"}, "(f32[4], s32[]) tuple(p0, p1)"), "");
    EXPECT_EQ(fault_in_hlo({"f32[4]", "s32[]"}, "(f32[4], s32[2]) tuple(p0, p1)"),
              "element 1 of its result is s32[2], but it is given s32[]");
    EXPECT_EQ(fault_in_hlo({"f32[4]", "s32[]"}, "(f32[4]) tuple(p0, p1)"),
              "(f32[4]) is not a tuple of 2 elements");
}

}  // namespace
}  // namespace dse::ir
