#include "dse/ir/passes/library_exchanges.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ir/readers/hlo/hlo_text.hpp"

namespace dse::ir {
namespace {

/// A transform on four devices, its array lying as `sharding` says.
Program transform(const std::string& sharding, const std::string& target = "pfft3d") {
    const std::string text = "HloModule m, num_partitions=4\nENTRY e {\n  x = c64[4,8,16] parameter(0)" +
                             sharding + "\n  y = c64[4,8,16] custom-call(x), custom_call_target=\"" + target +
                             "\"\n  ROOT z = c64[4,8,16] negate(y)\n}\n";
    return hlo_program(text);
}

using Groups = std::vector<std::vector<std::int64_t>>;

std::vector<Groups> exchanges(const Program& program) {
    std::vector<Groups> found;
    for (const Operation& operation : program[program.entry].operations) {
        if (operation.opcode == Opcode::all_to_all)
            found.push_back(program.attribute_if<Communication>(operation)->groups.members(4));
    }
    return found;
}

/// Pencils, cut along the first two dimensions: devices of one row exchange, then those of one column.
TEST(LibraryExchanges, PencilsExchangeAlongBothCuts) {
    const Program program = with_library_exchanges(transform(", sharding={devices=[2,2,1]<=[4]}"));
    validate(program);
    EXPECT_EQ(exchanges(program), (std::vector<Groups>{{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}}));
    // The call, its exchanges and then who reads its result, one after the other.
    const auto& operations = program[program.entry].operations;
    ASSERT_EQ(operations.size(), 5U);
    for (std::size_t i = 1; i < operations.size(); ++i)
        EXPECT_EQ(program.operands(operations[i])[0], Program::result(operations[i - 1]));
    EXPECT_EQ(program.types.text(program.type_of(program[program.entry].results[0])), "c64[4,8,16]");
}

TEST(LibraryExchanges, SlabsExchangeOnceBetweenAll) {
    const Program program = with_library_exchanges(transform(", sharding={devices=[1,4,1]<=[4]}"));
    EXPECT_EQ(exchanges(program), (std::vector<Groups>{{{0, 1, 2, 3}}}));
}

TEST(LibraryExchanges, OtherCallsAndUnknownGridsStayAsTheyAre) {
    EXPECT_TRUE(exchanges(with_library_exchanges(transform(""))).empty());
    EXPECT_TRUE(exchanges(with_library_exchanges(transform(", sharding={replicated}"))).empty());
    EXPECT_TRUE(
        exchanges(with_library_exchanges(transform(", sharding={devices=[2,2,1]<=[4]}", "other"))).empty());
}

}  // namespace
}  // namespace dse::ir
