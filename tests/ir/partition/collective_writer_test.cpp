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

}  // namespace
}  // namespace dse::ir::partition
