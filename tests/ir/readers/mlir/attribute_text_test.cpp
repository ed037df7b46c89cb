#include "ir/readers/mlir/attribute_text.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir::mlir {
namespace {

// A file that holds one attribute.
struct Text {
    explicit Text(const std::string& text) : source{Source::text(text, "t.mlir")}, tokens{source} {}
    [[nodiscard]] std::string_view all() const { return source.text(); }

    Source source;
    Tokens tokens;
    TypeTable table;
    Aliases aliases;
    TypeReader types{table, aliases};
    AttributeText attribute{tokens, aliases, types};
};

Integers integers_of(const std::string& text) {
    Text file{text};
    return file.attribute.integers(file.all());
}

TEST(MlirIntegers, InAllForms) {
    EXPECT_EQ(integers_of("[1, -2]").values, (Sizes{1, -2}));
    EXPECT_EQ(integers_of("[[1, 2], [3, 4]]").values, (Sizes{1, 2, 3, 4}));
    EXPECT_EQ(integers_of("[]").values, Sizes{});
    EXPECT_EQ(integers_of("array<i64: 1, 2>").values, (Sizes{1, 2}));
    EXPECT_EQ(integers_of("array<i64>").values, Sizes{});
    EXPECT_EQ(integers_of("array<i1: true, false>").values, (Sizes{1, 0}));
    EXPECT_EQ(integers_of("5 : i64").values, Sizes{5});
    EXPECT_EQ(integers_of("dense<> : tensor<0xi64>").values, Sizes{});
    EXPECT_EQ(integers_of("dense<3> : tensor<2xi64>").values, (Sizes{3, 3}));
    const Integers table = integers_of("dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>");
    EXPECT_EQ(table.values, (Sizes{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(table.shape, (Sizes{2, 3}));
}

TEST(MlirIntegers, AsRawBytes) {
    // Little end first: 258 = 0x0102, then -1.
    EXPECT_EQ(integers_of("dense<\"0x0201FFFF\"> : tensor<2xi16>").values, (Sizes{258, -1}));
    EXPECT_EQ(integers_of("dense<\"0x0500000000000000\"> : tensor<3xi64>").values, (Sizes{5, 5, 5}));
    EXPECT_THROW(integers_of("dense<\"0x0201FF\"> : tensor<2xi16>"), InputError);
    EXPECT_THROW(integers_of("dense<\"0x02zz\"> : tensor<1xi16>"), InputError);
}

TEST(MlirIntegers, TheirNumberIsHeldAgainstTheType) {
    EXPECT_THROW(integers_of("dense<[1, 2]> : tensor<3xi64>"), InputError);
    EXPECT_THROW(integers_of("dense<1> : tensor<99999999999xi64>"), InputError);
    EXPECT_THROW(integers_of("[1, x]"), InputError);
}

TEST(MlirFields, OfAttributesAndDictionaries) {
    Text file{"#stablehlo.gather<offset_dims = [1], index_vector_dim = 2>"};
    const auto fields = file.attribute.fields(file.all());
    ASSERT_EQ(fields.size(), 2U);
    EXPECT_EQ(fields[0].key, "offset_dims");
    EXPECT_EQ(fields[1].value, "2");
    Text dictionary{"{a = 1 : i64, unit, \"b c\" = \"d\"}"};
    const auto entries = dictionary.attribute.fields(dictionary.all());
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].value, "1 : i64");
    EXPECT_EQ(entries[1].value, "");
    EXPECT_EQ(entries[2].key, "b c");
}

TEST(MlirAliases, AreFollowedButNotForEver) {
    Text file{"#a #b [4]"};
    file.aliases.emplace("#a", file.all().substr(3, 2));
    file.aliases.emplace("#b", file.all().substr(6, 3));
    EXPECT_EQ(file.attribute.sizes(file.all().substr(0, 2)), Sizes{4});
    file.aliases["#b"] = file.all().substr(0, 2);
    EXPECT_THROW(file.attribute.sizes(file.all().substr(0, 2)), InputError);
}

}  // namespace
}  // namespace dse::ir::mlir
