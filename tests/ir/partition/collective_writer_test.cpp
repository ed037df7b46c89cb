#include "ir/partition/collective_writer.hpp"

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

struct Written : ShardedProgram {
    // The name and the result of the last operation, after moving f32[16,32] from one layout to another.
    std::string moved(const Layout& from, const Layout& to, Language language) {
        Type whole;
        whole.element = ElementType::f32;
        whole.sizes = {16, 32};
        const TypeId type = program.types.add(whole);
        const ValueId part = builder.argument(main, type);
        CollectiveWriter writer{builder, language, program.meshes[0]};
        const ValueId result = writer.reshard(main, part, type, {from}, {to}, 7);
        last = program.definition(result);
        return std::string{program.text(last->name)} + ' ' + program.types.text(program.type_of(result));
    }
    const Operation* last{nullptr};
};

TEST(CollectiveWriter, NamesOperationsInTheirLanguage) {
    Written w;
    EXPECT_EQ(w.moved({{data}, {}}, {{}, {}}, Language::mlir), "stablehlo.all_gather f32[16,32]");
    EXPECT_EQ(w.moved({{data}, {}}, {{}, {}}, Language::hlo), "all-gather f32[16,32]");
    EXPECT_EQ(w.last->line, 7U);
}

TEST(CollectiveWriter, SaysWhatMovesWhere) {
    Written w;
    EXPECT_EQ(w.moved({{data}, {}}, {{}, {data}}, Language::mlir), "stablehlo.all_to_all f32[16,8]");
    const auto* exchange = w.program.attribute_if<Communication>(*w.last);
    ASSERT_NE(exchange, nullptr);
    EXPECT_EQ(exchange->dimension, 1);         // is split
    EXPECT_EQ(exchange->concat_dimension, 0);  // is joined
    EXPECT_EQ(exchange->groups.size(8), 4);
    EXPECT_EQ(w.moved({{}, {}}, {{model}, {}}, Language::mlir), "stablehlo.dynamic_slice f32[8,32]");
    const auto* part = w.program.attribute_if<OwnPart>(*w.last);
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(part->dimension, 0);
    EXPECT_EQ(part->groups.members(8).front(), (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(w.moved({{data, model}, {}}, {{model, data}, {}}, Language::mlir),
              "stablehlo.collective_permute f32[2,32]");
    EXPECT_FALSE(w.program.attribute_if<Communication>(*w.last)->pairs.empty());
}

// Two elements on four devices: each puts its own among zeros, and they are summed.
TEST(CollectiveWriter, SumsShortDimensions) {
    Written w;
    const TypeId whole = w.array({2, 32});
    const ValueId part = w.builder.argument(w.main, w.array({1, 32}));
    CollectiveWriter writer{w.builder, Language::mlir, w.program.meshes[0]};
    const ValueId result = writer.reshard(w.main, part, whole, {{{data}, {}}}, {{{}, {}}}, 7);
    const auto& operations = w.program[w.main].operations;
    ASSERT_EQ(operations.size(), 2U);
    EXPECT_EQ(operations[0].opcode, Opcode::dynamic_update_slice);
    EXPECT_EQ(operations[1].opcode, Opcode::all_reduce);
    EXPECT_EQ(w.sizes(result), (Sizes{2, 32}));
}

// 16 columns in four parts; of them [1, 13), in parts of three: two from the neighbour before, of six three.
TEST(CollectiveWriter, ExchangesHalos) {
    Written w;
    const ValueId part = w.builder.argument(w.main, w.array({8, 4}));
    CollectiveWriter writer{w.builder, Language::mlir, w.program.meshes[0]};
    const auto exchanged = [&](const WantedRanges& wanted) {
        return w.sizes(writer.exchange_halo(w.main, part, 1, {data}, 16, wanted, 7));
    };
    EXPECT_EQ(exchanged({{1, 4}, {4, 7}, {7, 10}, {10, 13}}), (Sizes{8, 3}));
    const auto& operations = w.program[w.main].operations;
    ASSERT_EQ(operations.size(), 4U);
    EXPECT_EQ(operations[0].opcode, Opcode::dynamic_slice);
    EXPECT_EQ(operations[1].opcode, Opcode::collective_permute);
    // Along data of 4, for each of model's two: 0, 2, 4, 6 and 1, 3, 5, 7.
    EXPECT_EQ(
        w.program.attribute_if<Communication>(operations[1])->pairs,
        (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 2}, {2, 4}, {4, 6}, {1, 3}, {3, 5}, {5, 7}}));
    EXPECT_EQ(w.program.types.text(w.program.type_of(Program::result(operations[2]))), "bf16[8,6]");
    // Who has what it wants sends nothing; who wants all of it gathers.
    EXPECT_EQ(exchanged({{0, 4}, {4, 8}, {8, 12}, {12, 16}}), (Sizes{8, 4}));
    EXPECT_EQ(w.program[w.main].operations.size(), 4U);
    EXPECT_EQ(exchanged({{-6, 10}, {-2, 14}, {2, 18}, {6, 22}}), (Sizes{8, 16}));
    EXPECT_EQ(w.program[w.main].operations.back().opcode, Opcode::all_gather);
}

}  // namespace
}  // namespace dse::ir::partition
