#include "dse/hardware/device/learned_spec.hpp"

#include <array>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::hardware {
namespace {

using ::testing::HasSubstr;

class Trees : public ::testing::Test {
  protected:
    std::map<std::string, LearnedKind> read(const std::string& text) {
        return read_trees(folder_.write("by_hand.trees", text), diagnostics_).kinds;
    }

    config::Diagnostics diagnostics_;
    test::TemporaryFolder folder_;
};

/// A split on feature 1 at 2.5, below it one on feature 0 at 10: leaves 0.1, 0.2 and 0.3; a second tree adds
/// 1 everywhere, the bias a half.
TEST_F(Trees, answers_add_up) {
    const auto kinds = read("# by hand\nkind gemm 2 0.5\ntree 1:2.5 0:10 1000 2000 3000\ntree 10000\n");
    EXPECT_TRUE(diagnostics_.ok()) << diagnostics_.text();
    const TreeEnsemble& trees = kinds.at("gemm").trees;
    EXPECT_NEAR(1.6, trees(std::array{10.0, 2.5}), 1e-6);  // at a threshold: below
    EXPECT_NEAR(1.7, trees(std::array{10.5, 0.0}), 1e-6);
    EXPECT_NEAR(1.8, trees(std::array{0.0, 3.0}), 1e-6);
}

/// More trees than are walked side by side, of unequal depth: the k-th splits at 0.5 into k and 100 k.
TEST_F(Trees, many_are_walked_to_their_leaves) {
    std::string text = "kind gemm 1 0\n";
    for (int k = 1; k <= 11; ++k)
        text += fmt::format("tree 0:0.5 {}{} {}\n", k % 2 == 0 ? "0:-1 7 " : "", k * 10000, k * 1000000);
    const auto kinds = read(text);
    EXPECT_TRUE(diagnostics_.ok()) << diagnostics_.text();
    EXPECT_NEAR(66.0, kinds.at("gemm").trees(std::array{0.0}), 1e-4);
    EXPECT_NEAR(6600.0, kinds.at("gemm").trees(std::array{1.0}), 1e-2);
}

TEST_F(Trees, a_file_is_read_when_it_is_asked_for) {
    const TreeFile file{folder_.write("late.trees", "tree 1\n")};
    EXPECT_THROW((void)file.kinds(), InputError);
    EXPECT_EQ(TreeFile{folder_.write("good.trees", "kind gemm 1 1\n")}.kinds().size(), 1U);
}

TEST_F(Trees, kinds_are_apart) {
    const auto kinds = read("kind gemm 1 1\nkind decode 1 2\ntree 0:1 10000 20000\n");
    EXPECT_TRUE(kinds.at("gemm").trees.empty());
    EXPECT_NEAR(4.0, kinds.at("decode").trees(std::array{1.5}), 1e-6);
}

/// 2 · 3 + 0.5 · 4 for family 7; 1 · 3 + 0 · 4 for any other.
TEST_F(Trees, costs_have_weights_by_family) {
    const auto kinds =
        read("kind gemm 1 0\nlargest -2.5\ncosts -1 1 0\ncosts 7 2 0.5\ntree 0\nkind decode 1 0\n");
    EXPECT_TRUE(diagnostics_.ok()) << diagnostics_.text();
    const LearnedKind& gemm = kinds.at("gemm");
    EXPECT_EQ(-2.5, gemm.largest);
    EXPECT_EQ(8.0, gemm.sums(7, std::array{3.0, 4.0}));
    EXPECT_EQ(3.0, gemm.sums(8, std::array{3.0, 4.0}));
    EXPECT_TRUE(gemm.sums.fit(2));
    EXPECT_FALSE(gemm.sums.fit(3));
    EXPECT_TRUE(kinds.at("decode").sums.empty());
}

TEST_F(Trees, releases_have_numbers) {
    const std::string file = folder_.write(
        "by_hand.trees", "kind gemm_releases 1 0\nown vllm 0.14.0\ntree 0\nrelease 3 sglang 0.5.14\n");
    const LearnedTrees trees = read_trees(file, diagnostics_);
    EXPECT_TRUE(diagnostics_.ok()) << diagnostics_.text();
    ASSERT_EQ(trees.releases.size(), 1U);
    EXPECT_EQ(trees.releases[0].number, 3);
    EXPECT_EQ(trees.releases[0].library, "sglang");
    EXPECT_EQ(trees.releases[0].release, "0.5.14");
    EXPECT_EQ(trees.kinds.at("gemm_releases").releases.at("vllm"), "0.14.0");
}

TEST_F(Trees, wrong_releases_are_said_by_line) {
    read("own vllm 1\nkind gemm 1 0\nown vllm\nrelease -1 vllm 1\nrelease 1 vllm\n");
    const std::string text = diagnostics_.text();
    EXPECT_THAT(text, HasSubstr(":1:1: error: a release before its kind"));
    EXPECT_THAT(text, HasSubstr(":3:1: error: no release (write it as: own LIBRARY RELEASE)"));
    EXPECT_THAT(text, HasSubstr(":4:1: error: no release (write it as: release NUMBER LIBRARY RELEASE"));
    EXPECT_THAT(text, HasSubstr(":5:1: error: no release"));
}

TEST_F(Trees, wrong_costs_are_said_by_line) {
    read(
        "costs 1 1\nlargest 1\nkind gemm 2 0\nlargest\nlargest nan\ncosts 1\ncosts one 1\ncosts 1 -2\ncosts "
        "-1 0 0\n");
    const std::string text = diagnostics_.text();
    EXPECT_THAT(text, HasSubstr(":1:1: error: costs before their kind"));
    EXPECT_THAT(text, HasSubstr(":2:1: error: a largest kernel before its kind"));
    EXPECT_THAT(text, HasSubstr(":4:1: error: no largest kernel"));
    EXPECT_THAT(text, HasSubstr(":5:1: error: no largest kernel"));
    EXPECT_THAT(text, HasSubstr(":6:1: error: no costs"));
    EXPECT_THAT(text, HasSubstr(":7:1: error: no costs"));
    EXPECT_THAT(text, HasSubstr(":8:1: error: '-2' is not a weight of a cost"));
    EXPECT_THAT(text, HasSubstr(":9:1: error: costs whose weights are all 0"));
}

TEST_F(Trees, a_file_without_kinds_is_none) {
    read("# nothing\n");
    EXPECT_THAT(diagnostics_.text(), HasSubstr(":1:1: error: no kinds of kernels"));
}

TEST_F(Trees, what_is_wrong_is_said_by_line) {
    read("tree 1\nkind gemm 2\nkind gemm 2 0\ntree 2:1 1 1\ntree 0:1 1\ntree 1 1\nleaf 1\n");
    const std::string text = diagnostics_.text();
    EXPECT_THAT(text, HasSubstr("by_hand.trees:1:1: error: a tree before its kind"));
    EXPECT_THAT(text, HasSubstr(":2:1: error: no kind"));
    EXPECT_THAT(text, HasSubstr(":4:1: error: '2:1' is not a node (FEATURE:THRESHOLD of feature 0 to 1"));
    EXPECT_THAT(text, HasSubstr(":5:1: error: no whole tree"));
    EXPECT_THAT(text, HasSubstr(":6:1: error: no whole tree"));
    EXPECT_THAT(text, HasSubstr(":7:1: error: 'leaf' begins no line of trees"));
}

/// An infinite leaf was taken for a split, and what lies behind the tree for its branch.
TEST_F(Trees, numbers_are_finite) {
    read("kind gemm 1 inf\nkind gemm 1 0\ntree inf\ntree 0:nan 1 1\ntree nan\nlargest nan\ncosts 0 inf\n");
    const std::string text = diagnostics_.text();
    EXPECT_EQ(diagnostics_.error_count(), 6U) << text;
    EXPECT_THAT(text, HasSubstr(":1:1: error: no kind"));
    EXPECT_THAT(text, HasSubstr(":3:1: error: 'inf' is not a node"));
    EXPECT_THAT(text, HasSubstr(":4:1: error: '0:nan' is not a node"));
    EXPECT_THAT(text, HasSubstr(":5:1: error: 'nan' is not a node"));
}

/// The trees of the first were dropped silently.
TEST_F(Trees, a_kind_comes_once) {
    read("kind gemm 1 0\ntree 1\nkind decode 1 0\nkind gemm 1 0\ntree 2\n");
    EXPECT_EQ(diagnostics_.error_count(), 1U);
    EXPECT_THAT(diagnostics_.text(), HasSubstr(":4:1: error: a second kind 'gemm'"));
}

TEST(LearnedSpec, trees_need_the_sizes_that_they_see) {
    LearnedSpec learned;
    EXPECT_TRUE(problems_of(learned).empty());
    learned.trees_file = "some.trees";
    EXPECT_THAT(problems_of(learned).text(), HasSubstr("multiprocessors"));
    EXPECT_THAT(problems_of(learned).text(), HasSubstr("cache"));
    learned.multiprocessors = 132;
    learned.cache = Bytes{50e6};
    EXPECT_THAT(problems_of(learned).text(), HasSubstr("cycle"));
    learned.cycle = Seconds{1e-9};
    EXPECT_TRUE(problems_of(learned).empty());
}

/// Of later GPUs, those of capability 12 have tensor cores as before Hopper.
TEST(LearnedSpec, knows_the_kind_of_its_tensor_cores) {
    LearnedSpec learned;
    for (const auto& [capability, warps] :
         {std::pair{8.0, true}, {8.9, true}, {9.0, false}, {10.3, false}, {12.0, true}}) {
        learned.capability = capability;
        EXPECT_EQ(learned.warp_products(), warps) << capability;
    }
}

TEST(TreeFile, is_checked_until_a_check_passes) {
    static int calls = 0;
    const auto check = [](const TreeFile&) {
        if (++calls == 1) throw InputError("wrong");
    };
    const TreeFile file{std::map<std::string, LearnedKind>{}};
    EXPECT_THROW(file.check_once(check), InputError);
    file.check_once(check);
    file.check_once(check);
    EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace dse::hardware
