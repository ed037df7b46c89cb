#include "dse/frontend/template/conversion.hpp"

#include <gtest/gtest.h>

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using Kind = Conversion::Kind;

const AxisSet tp{MeshAxis::tensor};
const AxisSet cp{MeshAxis::context};
const AxisSet dp{MeshAxis::data};

Layout layout(std::vector<AxisSet> split, AxisSet partial = {}) {
    return {std::move(split), partial};
}

std::vector<Kind> kinds(const Layout& have, const Layout& want) {
    std::vector<Kind> result;
    for (const Conversion& step : conversions(have, want)) result.push_back(step.kind);
    return result;
}

TEST(Conversion, EqualLayoutsNeedNothing) {
    EXPECT_TRUE(conversions(layout({dp, tp}), layout({dp, tp})).empty());
}

TEST(Conversion, EachPairOfStatesHasItsCollective) {
    const Layout replicated = layout({{}, {}});
    const Layout first = layout({tp, {}});
    const Layout second = layout({{}, tp});
    const Layout partial = layout({{}, {}}, tp);
    EXPECT_EQ(kinds(partial, replicated), std::vector{Kind::all_reduce});
    EXPECT_EQ(kinds(partial, first), std::vector{Kind::reduce_scatter});
    EXPECT_EQ(kinds(first, replicated), std::vector{Kind::all_gather});
    EXPECT_EQ(kinds(first, second), std::vector{Kind::all_to_all});
    EXPECT_EQ(kinds(replicated, second), std::vector{Kind::slice});
}

TEST(Conversion, AxesOfOneKindGoTogether) {
    const auto steps = conversions(layout({{}, {}}, tp | cp), layout({{}, tp | cp}));
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].kind, Kind::reduce_scatter);
    EXPECT_EQ(steps[0].axes, tp | cp);
}

TEST(Conversion, ShrinksFirstAndGrowsLast) {
    // Over cp a partial sum that is wanted split, over tp split and wanted whole: scatter, then gather less.
    const auto steps = conversions(layout({tp, {}}, cp), layout({{}, cp}));
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].kind, Kind::reduce_scatter);
    EXPECT_EQ(steps[0].axes, cp);
    EXPECT_EQ(steps[0].after, layout({tp, cp}));
    EXPECT_EQ(steps[1].kind, Kind::all_gather);
    EXPECT_EQ(steps[1].axes, tp);
    EXPECT_EQ(steps[1].after, layout({{}, cp}));
}

/// All layouts of a tensor with three dimensions over tp, cp and dp: 5^3 states, all pairs.
TEST(Conversion, ReachesEveryLayoutFromEveryOther) {
    const auto make = [](int code) {
        Layout result = layout({{}, {}, {}});
        for (const AxisSet axis : {tp, cp, dp}) {
            const int state = code % 5;  // 0–2: dimension, 3: replicated, 4: partial sum
            code /= 5;
            if (state < 3)
                result.split[static_cast<std::size_t>(state)] =
                    result.split[static_cast<std::size_t>(state)] | axis;
            if (state == 4) result.partial = result.partial | axis;
        }
        return result;
    };
    for (int from = 0; from < 125; ++from) {
        for (int to = 0; to < 125; ++to) {
            const Layout want = make(to);
            if (!want.partial.empty()) continue;
            AxisSet moved;
            Layout have = make(from);
            int last = -1;
            for (const Conversion& step : conversions(make(from), want)) {
                EXPECT_GT(static_cast<int>(step.kind), last) << "each kind once, in order";
                EXPECT_TRUE((moved & step.axes).empty()) << "no axis is moved twice";
                last = static_cast<int>(step.kind);
                moved = moved | step.axes;
                have = step.after;
            }
            EXPECT_EQ(have, want) << from << " to " << to;
        }
    }
}

}  // namespace
}  // namespace dse::frontend
