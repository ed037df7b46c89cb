#include "ir/readers/fx/schedule.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/error_message.hpp"

namespace dse::ir::fx {
namespace {

Program read(const std::string& text) {
    Program program;
    read_schedule(Source::text(text, "x.json"), program);
    validate(program);
    return program;
}

TEST(Schedule, ListsOperators) {
    const Program program = read(R"(["torch.ops._c10d_functional.all_reduce_.default",
                                     "torch.ops._c10d_functional.wait_tensor.default"])");
    const auto& operations = program[program.entry].operations;
    ASSERT_EQ(operations.size(), 2U);
    EXPECT_EQ(program.text(operations[0].name), "_c10d_functional.all_reduce_.default");
    EXPECT_EQ(operations[0].opcode, Opcode::all_reduce);
    EXPECT_NE(program.attribute_if<Communication>(operations[0]), nullptr);
    EXPECT_EQ(operations[1].opcode, Opcode::wait);
}

TEST(Schedule, KnowsWhatIsWritten) {
    const Program program = read(R"({"ops": [{"name": "extern_kernels.mm", "outputs": [
        {"shape": [4, 2], "stride": [2, 1], "dtype": "float16"}, {"shape": [], "dtype": null}]}]})");
    const Operation& kernel = program[program.entry].operations.at(0);
    ASSERT_EQ(kernel.results.count, 2U);
    EXPECT_EQ(program.types.text(program.type_of(Program::result(kernel))), "f16[4,2]");
    EXPECT_EQ(program.types.text(program.type_of(Program::result(kernel, 1))), "?");
    EXPECT_EQ(program.text(program.attribute_if<ForeignCall>(kernel)->target), "extern_kernels.mm");
}

TEST(Schedule, RefusesOtherLists) {
    const auto message = [](const std::string& text) { return test::error_message([&] { read(text); }); };
    EXPECT_EQ(
        message("{\"a\": 1}"),
        "x.json:1:1: expected a list of operators, {\"ops\": [operators]}, or a model's config.json, which "
        "has a model_type");
    EXPECT_EQ(message("[]"), "x.json:1:1: the list of operators is empty: there is nothing to simulate");
    EXPECT_EQ(message("[3]"), "x.json:1:1: an operator of the list has no name");
    EXPECT_EQ(message("[\"a\""), "x.json:1:1: is not valid JSON (is it cut off?)");
}

}  // namespace
}  // namespace dse::ir::fx
