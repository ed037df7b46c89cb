#include "ir/readers/hlo/alias_reader.hpp"

#include "hlo_text.hpp"

namespace dse::ir {
namespace {

std::string module(const std::string& header) {
    return "HloModule m, " + header + R"(
ENTRY e {
  a = (f32[2], (f32[3], f32[4])) parameter(0)
  b = f32[5] parameter(1)
  ROOT r = (f32[5], (f32[2], (f32[3], f32[4]))) tuple(b, a)
})";
}

// Leaves of the arguments: a.0, a.1.0, a.1.1, b; of the result: b, a.0, a.1.0, a.1.1.
TEST(HloAliases, AreNumbersOfLeaves) {
    const Program program = hlo_program(module(
        "input_output_alias={ {0}: (1, {}, may-alias), {1,1,1}: (0, {1,1}, must-alias), {1,0}: (0, {0}) }"));
    EXPECT_EQ(program.aliases, (std::vector<BufferAlias>{{0, 3}, {3, 2}, {1, 0}}));
}

TEST(HloAliases, DonatedArgumentsMayBecomeAnyResult) {
    const Program program = hlo_program(module("buffer_donor={ (1, {}), (0, {1}) }"));
    EXPECT_EQ(program.aliases,
              (std::vector<BufferAlias>{{BufferAlias::any_result, 3}, {BufferAlias::any_result, 1}}));
}

TEST(HloAliases, OfNothingAreRefused) {
    EXPECT_EQ(hlo_refusal(module("input_output_alias={ {0}: (2, {}) }")),
              "t.hlo:1:35: the entry has no such parameter");
    EXPECT_EQ(hlo_refusal(module("input_output_alias={ {2}: (1, {}) }")),
              "t.hlo:1:35: the result has no such element");
    EXPECT_EQ(hlo_refusal(module("buffer_donor={ (1, {0}) }")),
              "t.hlo:1:29: the parameter has no such element");
    EXPECT_NE(hlo_refusal(module("input_output_alias={ {0 : (0, {0}) }")).find("t.hlo:1:38: expected '}'"),
              std::string::npos);
}

}  // namespace
}  // namespace dse::ir
