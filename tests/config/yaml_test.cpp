// parse_yaml and load_yaml: what is read, where it stands, and every way a file can be wrong.

#include "support/yaml.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/config/node.hpp"
#include "support/temporary_folder.hpp"

namespace dse::config {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

TEST(Yaml, ReadsMapsListsAndScalars) {
    const Node root = test::parse_right("a: 1\nb: [x, {c: 2}]\nd:\n  - e\n");
    ASSERT_TRUE(root.is_map());
    ASSERT_EQ(root.entries().size(), 3U);
    EXPECT_EQ(root.find("a")->text(), "1");
    const Node& b = *root.find("b");
    ASSERT_TRUE(b.is_sequence());
    ASSERT_EQ(b.items().size(), 2U);
    EXPECT_EQ(b.items()[0].text(), "x");
    EXPECT_EQ(b.items()[1].find("c")->text(), "2");
    EXPECT_EQ(root.find("d")->items()[0].text(), "e");
}

TEST(Yaml, KnowsWhereEverythingStands) {
    const Node root = test::parse_right("a: 1\nbandwidth: [x, {c: 2}]\nd:\n  - e\n");
    const auto place = [](const Node& node) { return to_string(node.location()); };
    EXPECT_EQ(place(root), "t.yaml:1:1");
    EXPECT_EQ(place(*root.find("a")), "t.yaml:1:4");
    EXPECT_EQ(to_string(root.entries()[1].location), "t.yaml:2:1");  // of the key
    const Node& list = *root.find("bandwidth");
    EXPECT_EQ(place(list), "t.yaml:2:12");  // of the bracket
    EXPECT_EQ(place(list.items()[0]), "t.yaml:2:13");
    EXPECT_EQ(place(list.items()[1]), "t.yaml:2:16");
    EXPECT_EQ(place(*list.items()[1].find("c")), "t.yaml:2:20");
    EXPECT_EQ(place(*root.find("d")), "t.yaml:4:3");
    EXPECT_EQ(place(root.find("d")->items()[0]), "t.yaml:4:5");
}

TEST(Yaml, KnowsThePathOfEverything) {
    const Node root = test::parse_right("axes: {tp: [1, 2]}\nrequire:\n  - x: 3\n");
    EXPECT_EQ(root.path(), "");
    EXPECT_EQ(root.find("axes")->path(), "axes");
    EXPECT_EQ(root.find("axes")->find("tp")->items()[1].path(), "axes.tp.1");
    EXPECT_EQ(root.find("require")->items()[0].find("x")->path(), "require.0.x");
}

TEST(Yaml, ColumnsCountCharacters) {
    const Node root = test::parse_right("{latenz: \"5 µs\", next: 1}");
    EXPECT_EQ(root.find("next")->location().column, 24);
}

TEST(Yaml, NullIsNoText) {
    const Node root = test::parse_right("a:\nb: ~\nc: null\nd: \"null\"\ne: ''\n");
    EXPECT_TRUE(root.find("a")->is_null());
    EXPECT_TRUE(root.find("b")->is_null());
    EXPECT_TRUE(root.find("c")->is_null());
    EXPECT_EQ(root.find("d")->text(), "null");
    EXPECT_TRUE(root.find("d")->quoted());
    EXPECT_TRUE(root.find("e")->is_scalar());
    EXPECT_EQ(root.find("e")->text(), "");
}

TEST(Yaml, QuotesAreNoPartOfTheText) {
    const Node root = test::parse_right(R"({a: 'it''s', b: "x\ty\"", c: &n "z", d: plain})");
    EXPECT_EQ(root.find("a")->text(), "it's");
    EXPECT_EQ(root.find("b")->text(), "x\ty\"");
    EXPECT_EQ(root.find("c")->text(), "z");
    EXPECT_FALSE(root.find("d")->quoted());
}

TEST(Yaml, BlocksOfText) {
    const Node root = test::parse_right("a: |\n  \"one\n  two\nb: >-\n  'three\n  four\n");
    EXPECT_EQ(root.find("a")->text(), "\"one\ntwo\n");
    EXPECT_EQ(root.find("b")->text(), "'three four");
}

TEST(Yaml, LineEndsOfEveryEditor) {
    for (const char* text : {"a: 1\nb: [2,\n 3]", "a: 1\r\nb: [2,\r\n 3]\r\n",
                             "\xEF\xBB\xBF"
                             "a: 1\nb: [2,\n 3]\n"}) {
        const Node root = test::parse_right(text);
        EXPECT_EQ(root.find("a")->text(), "1");
        EXPECT_EQ(root.find("a")->location().column, 4);
        EXPECT_EQ(root.find("b")->items()[1].text(), "3");
        EXPECT_EQ(root.find("b")->items()[1].location().line, 3);
    }
}

TEST(Yaml, NothingIsNullAndKnowsItsFile) {
    for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "---\n...\n", "\xEF\xBB\xBF"}) {
        const Node root = test::parse_right(text);
        EXPECT_TRUE(root.is_null()) << text;
        EXPECT_FALSE(root.unreadable()) << text;
        EXPECT_THAT(to_string(root.location()), testing::StartsWith("t.yaml")) << text;
    }
}

TEST(Yaml, AliasStandsWhereItIsUsedAndIsWrittenElsewhere) {
    const Node root = test::parse_right("base: &b {x: [1, 2]}\nother:\n  copy: *b\n");
    const Node& copy = *root.find("other")->find("copy");
    EXPECT_EQ(copy.find("x")->items()[1].text(), "2");
    EXPECT_EQ(copy.path(), "other.copy");
    EXPECT_EQ(copy.find("x")->items()[1].path(), "other.copy.x.1");
    EXPECT_EQ(copy.find("x")->location().line, 1);
    EXPECT_EQ(root.find("base")->find("x")->path(), "base.x");
}

struct Bad {
    const char* why;
    std::string text;
    std::string message;
};

// Texts that cannot be parsed: one error, and nothing is known of the document.
TEST(Yaml, UnparsableTextsSayWhereAndWhy) {
    const std::vector<Bad> cases{
        {"tab as indentation", "a:\n\tb: 1\n",
         "error: cannot be parsed: illegal map value (the line is indented with a tab: YAML wants spaces)"},
        {"open double quote", "a: 1\nb: \"x\nc: 2\n",
         "t.yaml:2:4: error: cannot be parsed: the quote that begins here is never closed"},
        {"open quote after a backslash", "a: \"x\\\"\n",
         "t.yaml:1:4: error: cannot be parsed: the quote that begins"},
        {"open single quote", "a: 'it''s\n", "t.yaml:1:4: error: cannot be parsed: the quote that begins"},
        {"open quote behind an anchor", "a: &n 'x\n",
         "t.yaml:1:4: error: cannot be parsed: the quote that begins"},
        {"open bracket", "a: [1, 2\nb: 3\n", "error: cannot be parsed: end of sequence flow not found"},
        {"open brace", "a: {b: 1\n", "error: cannot be parsed: end of map flow not found"},
        {"wrong bracket", "a: [1, 2}\n", "error: cannot be parsed: "},
        {"colon twice", "a: b: c\n", "t.yaml:1:5: error: cannot be parsed: illegal map value"},
        {"map and list mixed", "a: 1\n- 2\n", "t.yaml:2:1: error: cannot be parsed: "},
        {"unknown alias", "a: *nobody\n",
         "t.yaml:1:4: error: cannot be parsed: the referenced anchor is not defined"},
        {"unknown escape", "a: \"\\q\"\n", "t.yaml:1:7: error: cannot be parsed: unknown escape character"},
        {"reserved character", "a: @b\n", "error: cannot be parsed: "},
        {"invalid UTF-8", "a: \xC3(\n", "t.yaml:1:4: error: not UTF-8 text: byte 0xC3"},
        {"binary", "\x89PNG\r\n\x1A\n"s, "t.yaml:1:1: error: not UTF-8 text: byte 0x89"},
        {"HDF5", "\x89HDF\r\n\x1A\n"s, "t.yaml:1:1: error: an HDF5 file, not YAML (results? `dse pareto`"},
        {"NUL", "a: 1\0b"s, "t.yaml:1:5: error: not a text file: control character 0x00"},
        // yaml-cpp takes this byte for the end of the file: the rest would be lost without a word.
        {"end of transmission", "a: 1\n\x04\nb: 2\n",
         "t.yaml:2:1: error: not a text file: control character 0x04"},
    };
    for (const Bad& bad : cases) {
        Diagnostics diagnostics;
        const Node root = parse_yaml(bad.text, "t.yaml", diagnostics);
        EXPECT_THAT(diagnostics.text(), HasSubstr(bad.message)) << bad.why;
        EXPECT_EQ(diagnostics.error_count(), 1U) << bad.why;
        EXPECT_TRUE(root.is_null() && root.unreadable()) << bad.why;
    }
}

// Texts that parse and still are wrong: all errors at once.
TEST(Yaml, DuplicateKeysAreAllReportedAndTheFirstCounts) {
    Diagnostics diagnostics;
    const Node root = parse_yaml("a: 1\nb: {c: 1, c: 2, c: 3}\na: {d: 1, d: 2}\n", "t.yaml", diagnostics);
    EXPECT_EQ(diagnostics.text(),
              "t.yaml:2:11: error: b.c: key 'c' is given twice (first on line 2)\n"
              "t.yaml:2:17: error: b.c: key 'c' is given twice (first on line 2)\n"
              "t.yaml:3:1: error: a: key 'a' is given twice (first on line 1)\n"
              "t.yaml:3:11: error: a.d: key 'd' is given twice (first on line 3)");
    EXPECT_EQ(root.find("a")->text(), "1");
    EXPECT_EQ(root.find("b")->find("c")->text(), "1");
    EXPECT_EQ(root.entries().size(), 2U);
}

TEST(Yaml, KeysMustBeNames) {
    for (const char* text : {"? [1, 2]\n: x\n", "? {a: 1}\n: x\n", "~: x\n", "'': x\n", "? \n: x\n"}) {
        EXPECT_THAT(test::parse_errors(text), HasSubstr("error: a key must be a name")) << text;
    }
}

TEST(Yaml, WhatWouldBeIgnoredIsRefused) {
    EXPECT_THAT(test::parse_errors("a: !bytes 5\n"), HasSubstr("t.yaml:1:4: error: a: the tag '!bytes'"));
    EXPECT_THAT(test::parse_errors("a: !x [5]\nb: !y {}\n"), HasSubstr("b: the tag '!y' is not supported"));
    EXPECT_THAT(test::parse_errors("a: &n {x: 1}\nb:\n  <<: *n\n"),
                HasSubstr("t.yaml:3:3: error: b.<<: merging"));
    EXPECT_EQ(test::parse_errors("'<<': x\n"), "");
}

TEST(Yaml, OneFileHoldsOneDocument) {
    EXPECT_EQ(test::parse_errors("a: 1\n---\nb: 2\n"),
              "t.yaml:3:1: error: a second document (one file holds one)");
    EXPECT_EQ(test::parse_errors("---\na: 1\n...\n"), "");
}

TEST(Yaml, AliasOfItselfIsRefused) {
    EXPECT_EQ(test::parse_errors("a: &x [1, *x]\n"),
              "t.yaml:1:11: error: a.1: an alias of a value that is not finished (it would contain itself)");
}

// "A billion laughs": 9 lines that would become 10^9 values.
TEST(Yaml, AliasesThatBlowUpAreRefused) {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 9; ++i) {
        text += fmt::format("a{}: &a{} [*a{}", i, i, i - 1);
        for (int k = 1; k < 10; ++k) text += fmt::format(", *a{}", i - 1);
        text += "]\n";
    }
    EXPECT_THAT(test::parse_errors(text), HasSubstr("aliases expand to too many values"));
}

// The budget is 100,000 values for the whole document: 9 aliases of 10,000 (and their list) fit, 10 do not.
TEST(Yaml, AliasesHaveABudget) {
    std::string text = "a: &a [x";
    for (int i = 1; i < 10000; ++i) text += ", x";
    text += "]\n";
    for (int i = 0; i < 9; ++i) text += fmt::format("b{}: *a\n", i);
    EXPECT_EQ(test::parse_errors(text), "");
    EXPECT_THAT(test::parse_errors(text + "c: *a\n"),
                HasSubstr("t.yaml:11:4: error: cannot be parsed: aliases"));
}

std::string nested(const char* opening, int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += opening;
    return text;
}

TEST(Yaml, NestingIsLimitedNotTheStack) {
    const std::string expected = "nested deeper than 64 levels";
    for (const char* opening : {"[", "{a: ", "- ", "? "}) {
        EXPECT_THAT(test::parse_errors(nested(opening, 10000)), HasSubstr(expected)) << opening;
    }
    std::string block;
    for (int i = 0; i < 1000; ++i) block += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
    EXPECT_THAT(test::parse_errors(block), HasSubstr(expected));
    EXPECT_EQ(test::parse_errors(nested("[", 64) + nested("]", 64)), "");
    EXPECT_THAT(test::parse_errors(nested("[", 65) + nested("]", 65)), HasSubstr(expected));
}

TEST(Yaml, LongLinesAndManyKeysTakeLinearTime) {
    std::string line = "[µ";
    for (int i = 0; i < 100000; ++i) line += ", 1";
    EXPECT_EQ(test::parse_right(line + "]").items().back().location().column, 2 + 3 * 100000);
    std::string keys;
    for (int i = 0; i < 100000; ++i) keys += fmt::format("k{}: 1\n", i);
    EXPECT_EQ(test::parse_right(keys).entries().size(), 100000U);
}

TEST(LoadYaml, ReadsAFile) {
    const test::TemporaryFolder folder;
    const std::string file = folder.write("a.yaml", "tp: 8\n");
    Diagnostics diagnostics;
    const Node root = load_yaml(file, diagnostics);
    EXPECT_EQ(root.find("tp")->text(), "8");
    EXPECT_EQ(to_string(root.find("tp")->location()), file + ":1:5");
}

std::string load_error(const std::string& file) {
    Diagnostics diagnostics;
    try {
        (void)load_yaml(file, diagnostics);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

// Also tests: text_file.cpp
TEST(LoadYaml, FilesThatCannotBeReadSayWhy) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(load_error(folder.path()), folder.path() + ": is a directory, not a file");
    const std::string missing = folder.path("missing.yaml");
    EXPECT_EQ(load_error(missing), missing + ": cannot be read: No such file or directory");
    EXPECT_THAT(load_error(""), HasSubstr("cannot be read"));
}

TEST(LoadYaml, HugeFilesAreRefusedBeforeTheyAreParsed) {
    const test::TemporaryFolder folder;
    const std::string file = folder.write("huge.yaml", "a: 1\n");
    std::filesystem::resize_file(file, 100U << 20U);
    EXPECT_EQ(load_error(file), file + ": more than 8 MiB is too large for a configuration");
    // An endless source has no size to look at.
    EXPECT_EQ(load_error("/dev/zero"), "/dev/zero: more than 8 MiB is too large for a configuration");
}

}  // namespace
}  // namespace dse::config
