#include "app/proof_effort.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ProofEffort, CountsLayoutsAndNotMachines) {
    // 2 x 2 layouts, one of which is dropped, on three machines.
    const dse::test::TemporaryFolder folder;
    const std::string sweep = folder.write(
        "proven.yaml",
        test::tiny_sweep(
            "axes: {tp: [1, 2], zero: [0, 1], scale_out.bandwidth: [100 Gbps, 200 Gbps, 400 Gbps]}\n"
            "require: [tp + zero < 3]\nsearch: {method: proven}\n"));
    const auto json = test::run_app({"plan", sweep, "--json"});
    ASSERT_EQ(json.code, 0) << json.err;
    EXPECT_EQ(json.json()["layouts_to_bound"], 3.0);
    EXPECT_GT(json.json()["points_per_second"], 0.0) << "a bound takes as long as a point";
    EXPECT_TRUE(json.json()["seconds"].is_null()) << "it is not known how many points a proof needs";
    EXPECT_THAT(test::run_app({"plan", sweep}).out,
                HasSubstr("bounds: at least 3, one for each layout, which take about"));
}

TEST(ProofEffort, OfFewMachinesOfALayoutIsALayout) {
    const dse::test::TemporaryFolder folder;
    const std::string sweep = folder.write(
        "proven.yaml",
        test::tiny_sweep("axes: {tp: [1, 2], scale_out.bandwidth: [100 Gbps, 200 Gbps, 400 Gbps]}\n"
                         "require: [tp == 2, \"scale_out.bandwidth < '150 Gbps'\"]\n"
                         "search: {method: proven}\n"));
    const auto json = test::run_app({"plan", sweep, "--json"});
    ASSERT_EQ(json.code, 0) << json.err;
    EXPECT_EQ(json.json()["layouts_to_bound"], 1.0);
}

TEST(ProofEffort, AdvisesAgainstAProofOfMillionsOfLayouts) {
    EXPECT_EQ(advice_for_proof({1e5, 1e5}), "");
    EXPECT_THAT(advice_for_proof({4.2e8, 1e5}), HasSubstr("each of the 420,000,000 layouts on its own"));
}

// Of 1,000 x 10,000 combinations of x and y, for each tp and two machines, none is in the space. tp, which
// comes last, is not looked at.
TEST(ProofEffort, AdvisesAgainstAProofThatDropsMillionsOfCombinations) {
    const dse::test::TemporaryFolder folder;
    const std::string sweep = folder.write(
        "proven.yaml", test::tiny_sweep("axes: {x: {from: 1, to: 1000}, y: {from: 1, to: 10000}, "
                                        "scale_out.bandwidth: [100 Gbps, 200 Gbps], tp: [1, 2]}\n"
                                        "require: [x * y == 0]\nsearch: {method: proven}\n"));
    const std::string out = test::run_app({"plan", sweep}).out;
    EXPECT_THAT(out, HasSubstr("each of some 10,000,000 combinations"));
    EXPECT_THAT(out, Not(HasSubstr("bounds:")));
}

}  // namespace
}  // namespace dse::app
