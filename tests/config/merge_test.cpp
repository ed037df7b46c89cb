#include "dse/config/merge.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "support/yaml.hpp"

namespace dse::config {
namespace {

/// Everything that a tree says, as text.
std::string canonical(const Node& node) {
    if (node.is_null()) return "~";
    if (node.is_scalar()) return node.text();
    std::vector<std::string> parts;
    for (const Node& item : node.items()) parts.push_back(canonical(item));
    for (const Node::Entry& entry : node.entries()) {
        parts.push_back(fmt::format("{}:{}", entry.key, canonical(entry.value)));
    }
    if (node.is_sequence()) return fmt::format("[{}]", fmt::join(parts, ","));
    std::sort(parts.begin(), parts.end());
    return fmt::format("{{{}}}", fmt::join(parts, ","));
}

std::string merge_text(const char* base, const char* overrides) {
    return canonical(merged(test::parse_right(base), test::parse_right(overrides)));
}

TEST(Merge, OverridesReplaceTheirFieldsAndLeaveTheRest) {
    EXPECT_EQ(merge_text("{a: 1, b: 2}", "{base: x, b: 3, c: 4}"), "{a:1,b:3,c:4}");
    EXPECT_EQ(merge_text("{a: {x: 1, y: 2}}", "{base: x, a: {y: 3}}"), "{a:{x:1,y:3}}");
    EXPECT_EQ(merge_text("{a: {x: {p: 1, q: 2}}}", "{a: {x: {q: 3}}}"), "{a:{x:{p:1,q:3}}}");
}

TEST(Merge, ListsAndScalarsAreReplacedAsAWhole) {
    EXPECT_EQ(merge_text("{a: [1, 2, 3]}", "{a: [4]}"), "{a:[4]}");
    EXPECT_EQ(merge_text("{a: {x: 1}}", "{a: 5}"), "{a:5}");
    EXPECT_EQ(merge_text("{a: [1]}", "{a: {x: 1}}"), "{a:{x:1}}");
    EXPECT_EQ(merge_text("{a: 1}", "{a: ~}"), "{a:~}");
    EXPECT_EQ(merge_text("{a: {x: 1}}", "{a: ~}"), "{a:{x:1}}") << "which refuse_erased() reports";
}

// What a section still lacks is missing in the file that has the base.
TEST(Merge, SectionsOfTheBaseStandInTheFileThatHasIt) {
    const Node base = test::parse_right("\n\n\na: {x: {p: 1}}");
    const Node both = merged(base, test::parse_right("b: 1"));
    EXPECT_EQ(both.find("a")->location().line, 1);
    EXPECT_EQ(both.find("a")->find("x")->location().line, 1);
    EXPECT_EQ(both.find("a")->find("x")->find("p")->location().line, 4) << "where it is written";
}

// The source of the old number says nothing of the new one.
TEST(Merge, ItemsOfAListAreOverriddenByTheirNumbers) {
    EXPECT_EQ(merge_text("{a: [{x: 1, y: 2}, {x: 3}]}", "{a: {1: {x: 4, z: 5}}}"),
              "{a:{0:{x:1,y:2},1:{x:4,z:5}}}");
    EXPECT_EQ(merge_text("{a: [{x: 1}]}", "{a: {3: {x: 4}}}"), "{a:{0:{x:1},3:{x:4}}}");
}

TEST(Merge, ValueWithItsSourceIsReplacedAsAWhole) {
    EXPECT_EQ(merge_text("{a: {value: 1, source: s}}", "{a: {value: 2}}"), "{a:{value:2}}");
    EXPECT_EQ(merge_text("{a: {value: 1, source: s}}", "{a: 2}"), "{a:2}");
    EXPECT_EQ(merge_text("{a: {value: 1, source: s}}", "{a: {x: 2}}"), "{a:{x:2}}");
    EXPECT_EQ(merge_text("{a: 1}", "{a: {value: 2, source: t}}"), "{a:{source:t,value:2}}");
}

TEST(Merge, FieldsBesideTheNameOfAFileKeepThatFile) {
    EXPECT_EQ(merge_text("{device: h100}", "{base: x, device: {power: 9}}"), "{device:{base:h100,power:9}}");
    EXPECT_EQ(merge_text("{device: {base: h100, power: 8}}", "{device: {memory: 1}}"),
              "{device:{base:h100,memory:1,power:8}}");
}

TEST(Merge, AnotherBaseReplacesAllOfTheOldOne) {
    EXPECT_EQ(merge_text("{device: {base: h100, power: 8}}", "{device: {base: h200, memory: 1}}"),
              "{device:{base:h200,memory:1}}");
    EXPECT_EQ(merge_text("{device: h100}", "{device: {base: h200}}"), "{device:{base:h200}}");
    EXPECT_EQ(merge_text("{device: {power: 8}}", "{device: h200}"), "{device:h200}");
}

TEST(RefuseErased, WhatABaseStatesIsNotSilentlyForgotten) {
    const auto errors = [](const char* base, const char* overrides) {
        Diagnostics diagnostics;
        refuse_erased(parse_yaml(base, "base.yaml", diagnostics),
                      parse_yaml(overrides, "own.yaml", diagnostics), diagnostics);
        return diagnostics.text();
    };
    EXPECT_EQ(errors("serving:\n  host_time: 1 ms\n", "base: base\nserving:\n"),
              "own.yaml:2:1: error: serving: has no value, and its base has one at base.yaml:2:3 (write what "
              "differs, or leave the key out)");
    EXPECT_EQ(errors("a: {x: {p: [1]}, y: 2}\n", "a: {x: {p: ~}, y: 3}\n"),
              "own.yaml:1:9: error: a.x.p: has no value, and its base has one at base.yaml:1:12 (write what "
              "differs, or leave the key out)");
    EXPECT_EQ(errors("a: 1\nb:\n", "a:\nb:\nc:\n"), "") << "no section is erased";
    EXPECT_EQ(errors("a: {x: 1}\n", "a: {value: 2, x: ~}\n"), "");
}

TEST(Merge, PlacesAreThoseOfTheFileThatSaysIt) {
    Diagnostics diagnostics;
    const Node base = parse_yaml("a: 1\nb: 2\nc: {x: 1, y: 2}\n", "base.yaml", diagnostics);
    const Node sweep = parse_yaml("system:\n  cluster:\n    base: base\n    b: 3\n    c: {y: 4}\n",
                                  "sweep.yaml", diagnostics);
    const Node result = merged(base, *sweep.find("system")->find("cluster"));
    EXPECT_EQ(to_string(result.find("a")->location()), "base.yaml:1:4");
    EXPECT_EQ(to_string(result.find("b")->location()), "sweep.yaml:4:8");
    EXPECT_EQ(result.find("b")->path(), "system.cluster.b");
    EXPECT_EQ(to_string(result.location()), "sweep.yaml:3:5");
    EXPECT_EQ(result.path(), "system.cluster");
    const Node& c = *result.find("c");
    EXPECT_EQ(to_string(c.location()), "sweep.yaml:5:8");
    EXPECT_EQ(c.path(), "system.cluster.c");
    EXPECT_EQ(to_string(c.find("x")->location()), "base.yaml:3:8");
    EXPECT_EQ(to_string(c.find("y")->location()), "sweep.yaml:5:12");
    EXPECT_EQ(to_string(result.entries()[1].location), "sweep.yaml:4:5");
}

/// A random tree of maps up to four deep whose leaves say whose they are.
std::string random_map(std::mt19937& random, const char* leaf, int depth) {
    std::vector<std::string> entries;
    for (const char* key : {"a", "b", "c"}) {
        if (random() % 3 == 0) continue;
        const bool is_leaf = depth == 0 || random() % 3 == 0;
        entries.push_back(is_leaf ? fmt::format("{}: [{}]", key, leaf)
                                  : fmt::format("{}: {}", key, random_map(random, leaf, depth - 1)));
    }
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

/// The definition, one path at a time: what `overrides` says, else what `base` says.
void expect_merged(const Node& base, const Node& overrides, const Node& result) {
    std::size_t keys = 0;
    for (const char* key : {"a", "b", "c"}) {
        const Node* old = base.find(key);
        const Node* fresh = overrides.find(key);
        const Node* got = result.find(key);
        ASSERT_EQ(got != nullptr, old != nullptr || fresh != nullptr);
        if (got == nullptr) continue;
        ++keys;
        if (old != nullptr && fresh != nullptr && old->is_map() && fresh->is_map()) {
            expect_merged(*old, *fresh, *got);
        } else {
            EXPECT_EQ(canonical(*got), canonical(fresh != nullptr ? *fresh : *old));
        }
    }
    EXPECT_EQ(result.entries().size(), keys);
}

TEST(Merge, RandomTreesFollowTheDefinition) {
    std::mt19937 random(17);
    for (int trial = 0; trial < 500; ++trial) {
        const Node base = test::parse_right(random_map(random, "base", 3));
        const Node overrides = test::parse_right(random_map(random, "new", 3));
        expect_merged(base, overrides, merged(base, overrides));
    }
}

TEST(Merge, NothingOverNothingChangesNothing) {
    std::mt19937 random(19);
    for (int trial = 0; trial < 100; ++trial) {
        const Node tree = test::parse_right(random_map(random, "x", 3));
        EXPECT_EQ(canonical(merged(tree, Node::map({}, "", {}))), canonical(tree));
        EXPECT_EQ(canonical(merged(Node::map({}, "", {}), tree)), canonical(tree));
        EXPECT_EQ(canonical(merged(tree, tree)), canonical(tree));
    }
}

}  // namespace
}  // namespace dse::config
