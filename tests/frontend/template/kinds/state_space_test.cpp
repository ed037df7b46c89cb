#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

/// 4 heads of 3 channels, 2 groups with a state of 8: keys and queries are 2 · 2 · 8 = 32 wide.
OneLine scanned() {
    OneLine line;
    line.declare("u", {"b", "s", "n*d"});
    line.declare("bc", {"b", "s", "2*k*h"});
    line.declare("t", {"b", "s", "n"});
    for (const char* name : {"decay", "skip", "step"}) line.parameter(name, {"n"});
    return line;
}

constexpr const char* scan =
    "y = selective_scan(u, bc, t, decay, skip, step, heads=n, head_dim=d, state=h, groups=k, chunk=f)";

/// 2 · 4 tokens, 12 channels, a state of 8: 7 · 8 · 12 · 8 = 5376. In chunks of 10: scores 10·8·2 groups,
/// products 10·12, states made and read 4·12·8: 664 a token, 1.13 times that on the vector units.
TEST(SelectiveScan, AsksForItsRecurrenceAndRunsInChunks) {
    OneLine line = scanned();
    const auto operation = line.read(scan);
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 12}));
    EXPECT_DOUBLE_EQ(line.model_flop(operation->forward), 7 * 8 * 12 * 8);
    EXPECT_DOUBLE_EQ(line.executed_flop(operation->forward), 1.13 * 8 * (10 * 8 * 2 + 10 * 12 + 4 * 12 * 8));
    ASSERT_EQ(operation->backward.size(), 1U);
    EXPECT_EQ(line.model_flop(operation->backward[0]), 2 * line.model_flop(operation->forward));
    EXPECT_DOUBLE_EQ(line.executed_flop(operation->backward[0]), 7 * line.executed_flop(operation->forward));
    // fp32 states of a chunk cross the bus four times.
    ASSERT_EQ(operation->forward.traffic.size(), 1U);
    EXPECT_EQ(operation->forward.traffic[0].storage, Storage::full);
    EXPECT_DOUBLE_EQ(
        line.product(operation->forward.traffic[0].extents) * operation->forward.traffic[0].passes,
        8.0 * 12 * 8 * 4 / 10);
}

TEST(SelectiveScan, HasTheBackwardPassOfItsStack) {
    OneLine line = scanned();
    line.stack.scan_backward = 2.5;
    const std::string text = scan;
    const auto plain = line.read(text);
    ASSERT_TRUE(plain) << line.errors();
    EXPECT_DOUBLE_EQ(line.executed_flop(plain->backward[0]), 2.5 * line.executed_flop(plain->forward));
    const auto delta = line.read("z = delta" + text.substr(text.find("_scan")));
    ASSERT_TRUE(delta) << line.errors();
    EXPECT_DOUBLE_EQ(line.executed_flop(delta->backward[0]), 3 * line.executed_flop(delta->forward));
}

/// The delta rule asks for as much and takes 1.7 times as long as attention in chunks; one more token is a
/// single kernel.
TEST(DeltaScan, TakesLongerInChunks) {
    OneLine line = scanned();
    const std::string text = scan;
    const auto plain = line.read(text);
    ASSERT_TRUE(plain) << line.errors();
    const auto delta = line.read("z = delta" + text.substr(text.find("_scan")));
    ASSERT_TRUE(delta) << line.errors();
    EXPECT_DOUBLE_EQ(line.model_flop(delta->forward), line.model_flop(plain->forward));
    EXPECT_DOUBLE_EQ(line.executed_flop(delta->forward), 1.7 / 1.13 * line.executed_flop(plain->forward));
    EXPECT_DOUBLE_EQ(delta->forward.traffic[0].passes, 1.7 * plain->forward.traffic[0].passes);
    EXPECT_EQ(delta->forward.kernels, plain->forward.kernels);
}

/// Heads are split, what belongs to all of them and the sequence are whole.
TEST(SelectiveScan, LiesByHeads) {
    OneLine line = scanned();
    const auto operation = line.read(scan);
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(operation->operands[0].letters, "bsc");
    EXPECT_EQ(operation->operands[2].letters, "bsC");
    EXPECT_EQ(operation->operands[3].letters, "C");
    EXPECT_EQ(operation->whole, "sn");
    EXPECT_EQ(OneLine::letters(operation->indivisible), "c");
}

TEST(SelectiveScan, RefusesSizesThatClash) {
    OneLine line = scanned();
    EXPECT_FALSE(line.read("y = selective_scan(u, bc, t, decay, skip, step, heads=k, head_dim=d, state=h)"));
    EXPECT_NE(line.errors().find("heads x head_dim of 'u'"), std::string::npos) << line.errors();
    EXPECT_FALSE(line.read("y = selective_scan(u, bc, t, decay, skip, step, heads=n, head_dim=d, state=h)"));
    EXPECT_NE(line.errors().find("2 x groups x state of 'bc'"), std::string::npos) << line.errors();
}

/// Parts keep the place and the split of the whole, with extents of their own.
TEST(Split, ShowsPartsSideBySide) {
    OneLine line;
    line.declare("x", {"b", "s", "2*h + n"});
    EXPECT_FALSE(line.read("z, u, t = split(x, z=h, u=h, t=n)")) << "a view is no kernel";
    ASSERT_EQ(line.errors(), "");
    ASSERT_EQ(line.views.size(), 1U);
    const Operation& view = line.views.front();
    ASSERT_EQ(view.results.size(), 3U);
    EXPECT_EQ(view.operands[0].letters, "abc");
    EXPECT_EQ(view.results[2].letters, "abC");
    EXPECT_EQ(line.shape(view.results[2].tensor), (std::vector<double>{2, 4, 4}));
    EXPECT_FALSE(line.read("p, q = split(x, p=h, q=h)"));
    EXPECT_NE(line.errors().find("the parts are 16 wide, but the last dimension of 'x' is 20"),
              std::string::npos)
        << line.errors();
    EXPECT_FALSE(line.read("v = split(x)"));
    EXPECT_NE(line.errors().find("needs the option 'v'"), std::string::npos) << line.errors();
}

/// 2 · 4 tokens, 8 channels, a window of 4: 2 · 64 · 4 = 512 FLOPs run; a model's count leaves them out.
TEST(CausalConvolution, RunsWithoutBeingAskedFor) {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.parameter("w", {"h", "n"});
    line.parameter("c", {"h"});
    const auto operation = line.read("y = causal_convolution(x, w, c)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(operation->forward.op_class, graph::OpClass::elementwise);
    EXPECT_EQ(line.executed_flop(operation->forward), 512);
    EXPECT_EQ(line.model_flop(operation->forward), 0);
    EXPECT_EQ(line.executed_flop(operation->backward[0]), 3 * 512);
    EXPECT_EQ(operation->whole, "s");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_w d_c");
}

TEST(GatedNorm, IsOverADevicesOwnChannels) {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.declare("z", {"b", "s", "h"});
    line.parameter("w", {"h"});
    const auto operation = line.read("y = gated_norm(x, z, w)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(operation->whole, "") << "split channels stay split";
    EXPECT_EQ(line.uses(operation->backward[0].reads), "x z w d_y");
    line.declare("thin", {"b", "s", "n"});
    EXPECT_FALSE(line.read("q = gated_norm(x, thin, w)"));
    EXPECT_NE(line.errors().find("'thin' is n = 4, but h = 8 is needed"), std::string::npos) << line.errors();
}

}  // namespace
}  // namespace dse::frontend
