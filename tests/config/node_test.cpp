#include "dse/config/node.hpp"

#include <gtest/gtest.h>

#include "support/yaml.hpp"

namespace dse::config {
namespace {

TEST(Node, DefaultIsNothingNowhere) {
    const Node node;
    EXPECT_TRUE(node.is_null());
    EXPECT_FALSE(node.unreadable());
    EXPECT_EQ(to_string(node.location()), "");
    EXPECT_EQ(node.describe(), "nothing");
}

TEST(Node, FindsKeysExactly) {
    const Node node = test::parse_right("tp: 8\nTP: 4\n");
    ASSERT_NE(node.find("tp"), nullptr);
    EXPECT_EQ(node.find("tp")->text(), "8");
    EXPECT_EQ(node.find("TP")->text(), "4");
    EXPECT_EQ(node.find("t"), nullptr);
    EXPECT_EQ(node.find(""), nullptr);
    EXPECT_EQ(test::parse_right("[tp]").find("tp"), nullptr);
}

TEST(Node, DescribesItselfForMessages) {
    EXPECT_EQ(test::parse_right("{}").describe(), "a map");
    EXPECT_EQ(test::parse_right("[1, 2, 3]").describe(), "a list of 3");
    EXPECT_EQ(test::parse_right("x y").describe(), "'x y'");
    EXPECT_EQ(test::parse_right("~").describe(), "nothing");
    EXPECT_EQ(test::parse_right(R"("a\e[2J")").describe(), R"('a\x1B[2J')");
    EXPECT_EQ(test::parse_right(std::string(1000, 'a')).describe(), "'" + std::string(60, 'a') + "…'");
}

TEST(Node, ScalarOfTheCommandLineNamesItsOrigin) {
    const Node node = Node::scalar("8", "axes.tp", "--set tp=8");
    EXPECT_TRUE(node.is_scalar());
    EXPECT_EQ(node.text(), "8");
    EXPECT_EQ(node.path(), "axes.tp");
    EXPECT_EQ(to_string(node.location()), "--set tp=8");
}

TEST(Node, MapKeepsTheOrderOfItsEntries) {
    const Location where = Node::scalar("", "", "x").location();
    const Node node = Node::map({{"b", where, Node::scalar("1", "m.b", "x")}, {"a", where, {}}}, "m", where);
    EXPECT_TRUE(node.is_map());
    EXPECT_EQ(node.path(), "m");
    ASSERT_EQ(node.entries().size(), 2U);
    EXPECT_EQ(node.entries()[0].key, "b");
    EXPECT_EQ(node.find("b")->text(), "1");
    EXPECT_TRUE(node.find("a")->is_null());
}

}  // namespace
}  // namespace dse::config
