#include <gtest/gtest.h>

#include "one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

std::string refusal(const std::string& text) {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.parameter("w", {"h"});
    EXPECT_FALSE(line.read(text)) << text;
    EXPECT_EQ(line.diagnostics.error_count(), 1U) << "one line, one error: " << line.errors();
    return line.errors();
}

TEST(OperationBuilder, SaysWhatIsWrongWithALine) {
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
             {"y = gelu(z)", "gelu: unknown tensor 'z'"},
             {"y = gelu(x, x)", "gelu: takes 1 tensors, not 2"},
             {"y = rms_norm(x, x)", "rms_norm: 'x' has 3 dimensions, not 1"},
             {"x = gelu(x)", "gelu: tensor 'x' is already defined"},
             {"y, z = gelu(x)", "gelu: gives 1 result, not 2"},
             {"y = gelu(\"x\", x)", "gelu: takes no text"},
             {"y = gelu(x, alpha=1)", "gelu: unknown option 'alpha'"},
             {"y = swiglu(x)", "swiglu: needs the option 'width'"},
             {"y = swiglu(x, width=h+)", "swiglu: "}}) {
        EXPECT_NE(refusal(text).find(reason), std::string::npos) << text << ": " << refusal(text);
    }
}

TEST(OperationBuilder, ExtentsAreComparedByValue) {
    OneLine line;
    line.declare("x", {"b", "s", "n*d - n"});  // 4·3 - 4 = 8 = h
    line.parameter("w", {"h"});
    EXPECT_TRUE(line.read("y = rms_norm(x, w)")) << line.errors();
}

TEST(Operation, KnowsTheLettersOfItsTensors) {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.parameter("w", {"h", "f"});
    const auto operation = line.read("y = einsum(\"bsh,ho->bso\", x, w)");
    ASSERT_TRUE(operation);
    EXPECT_EQ(operation->letters_of(operation->operands[1].tensor), "ho");
    EXPECT_EQ(operation->letters_of(operation->results[0].tensor), "bso");
    EXPECT_THROW(static_cast<void>(operation->letters_of(TensorId(99))), ContractViolation);
    EXPECT_FALSE(operation->is_loss());
}

}  // namespace
}  // namespace dse::frontend
