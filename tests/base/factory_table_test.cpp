#include "dse/base/factory_table.hpp"

#include <functional>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse {
namespace {

using Factory = std::function<std::unique_ptr<int>(int)>;

const FactoryTable<Factory>& table() {
    static const FactoryTable<Factory> rows{
        "sampler",
        {{"grid", "every point", [](int n) { return std::make_unique<int>(n); }},
         {"random", "seeded draws", [](int n) { return std::make_unique<int>(10 * n); }}}};
    return rows;
}

std::string message_of(std::string_view name) {
    try {
        (void)table().find(name);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(FactoryTable, FindsEachRowByItsName) {
    EXPECT_EQ(*table().find("grid")(4), 4);
    EXPECT_EQ(*table().find("random")(4), 40);
}

TEST(FactoryTable, ListsRowsInTheirOrder) {
    EXPECT_EQ(table().family(), "sampler");
    EXPECT_THAT(table().names(), testing::ElementsAre("grid", "random"));
    ASSERT_EQ(table().rows().size(), 2U);
    EXPECT_EQ(table().rows()[1].description, "seeded draws");
}

TEST(FactoryTable, UnknownNameIsAnsweredWithTheNearest) {
    EXPECT_EQ(message_of("gird"), "unknown sampler 'gird' (did you mean 'grid'?)");
    EXPECT_EQ(message_of("annealing"), "unknown sampler 'annealing' (known: grid, random)");
}

TEST(FactoryTable, NamesAreExact) {
    EXPECT_EQ(message_of("Grid"), "unknown sampler 'Grid' (did you mean 'grid'?)");
    EXPECT_NE(message_of(""), "");
    EXPECT_NE(message_of("grid "), "");
}

TEST(FactoryTable, EmptyFamilySaysOnlyThatTheNameIsUnknown) {
    const FactoryTable<Factory> empty{"frontend", {}};
    try {
        (void)empty.find("hlo");
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "unknown frontend 'hlo'");
    }
}

}  // namespace
}  // namespace dse
