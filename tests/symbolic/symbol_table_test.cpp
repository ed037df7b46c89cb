#include "dse/symbolic/symbol_table.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::symbolic {
namespace {

TEST(SymbolTable, NumbersVariablesInOrder) {
    SymbolTable table;
    EXPECT_EQ(table.add("tp", ValueType::integer), 0U);
    table.add_constant("devices", ValueType::integer, 1024.0);
    EXPECT_EQ(table.add("pp", ValueType::integer), 1U);
    EXPECT_EQ(table.slots(), 2U);
    ASSERT_NE(table.find("devices"), nullptr);
    EXPECT_EQ(table.find("devices")->constant, 1024.0);
    EXPECT_EQ(table.find("dp"), nullptr);
}

TEST(SymbolTable, RefusesTakenAndImpossibleNames) {
    SymbolTable table;
    table.add("tp", ValueType::integer);
    EXPECT_THROW(table.add("tp", ValueType::real), InputError);
    for (const char* name : {"", "2tp", "a b", "a.", ".a", "a..b", "and", "true", "a-b", "é"}) {
        EXPECT_THROW(table.add(name, ValueType::integer), InputError) << name;
        EXPECT_FALSE(is_symbol_name(name)) << name;
    }
    for (const char* name : {"a", "_a", "a1", "a.b_c.d2", "android"})
        EXPECT_TRUE(is_symbol_name(name)) << name;
}

TEST(LabelResolver, NamesTheNearestLabel) {
    const TextResolver resolver = label_resolver({"gpipe", "1f1b", "interleaved"});
    std::string error;
    EXPECT_EQ(resolver("1f1b", error), 1.0);
    EXPECT_FALSE(resolver("interleave", error));
    EXPECT_NE(error.find("'interleaved'"), std::string::npos) << error;
}

}  // namespace
}  // namespace dse::symbolic
