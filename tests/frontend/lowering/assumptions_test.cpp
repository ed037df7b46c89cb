#include "dse/frontend/lowering/assumptions.hpp"

#include <gtest/gtest.h>

#include "dse/ir/readers/read_program.hpp"

namespace dse::frontend {
namespace {

std::vector<Assumption> of(const std::string& entry) {
    const ir::Program program = ir::read_program(ir::Source::text("HloModule m\n" + entry, "t.hlo"));
    return assumptions(program, lower(program, {}));
}

TEST(Assumptions, OfForeignCallsAndSizes) {
    const auto found =
        of("ENTRY e {\n  x = f32[?,8] parameter(0)\n"
           "  ROOT y = f32[?,8] custom-call(x), custom_call_target=\"mystery\"\n}\n");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NE(found[0].reason.find("the costs of 'mystery' are unknown (1 call)"), std::string::npos)
        << found[0].reason;
    EXPECT_EQ(found[0].place("t.hlo"), "t.hlo");
    EXPECT_EQ(found[1].line, 3U) << "the module line comes first";
    EXPECT_EQ(found[1].place("t.hlo"), "t.hlo:3");
    EXPECT_EQ(found[1].reason.substr(0, 16), "'x' (f32[?,8]) h");
}

TEST(Assumptions, NoneWhereTheTextSaysAll) {
    EXPECT_TRUE(of("ENTRY e {\n  x = f32[<=8,8] parameter(0)\n  ROOT y = f32[<=8,8] negate(x)\n}\n").empty());
}

}  // namespace
}  // namespace dse::frontend
