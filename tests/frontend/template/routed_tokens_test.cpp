#include "frontend/template/routed_tokens.hpp"

#include <gtest/gtest.h>

namespace dse::frontend {
namespace {

RoutedTokens routed(graph::Mode mode, graph::ParallelLayout layout, std::int64_t devices) {
    graph::WorkloadSpec workload;
    workload.mode = mode;
    workload.global_batch = 64;
    workload.layout = layout;
    return routed_tokens(workload, graph::resolve(workload.layout, devices, workload.global_batch));
}

graph::ParallelLayout layout_of(std::int64_t tp, std::int64_t ep, std::int64_t etp) {
    graph::ParallelLayout layout;
    layout.tp = tp;
    layout.ep = ep;
    layout.etp = etp;
    return layout;
}

TEST(RoutedTokens, AGroupThatHasAllExpertsSendsNone) {
    for (const auto mode : {graph::Mode::prefill, graph::Mode::decode}) {
        EXPECT_EQ(routed(mode, layout_of(4, 1, 4), 8), RoutedTokens::everywhere);
        EXPECT_EQ(routed(mode, layout_of(4, 2, 2), 4), RoutedTokens::everywhere);
    }
    EXPECT_EQ(routed(graph::Mode::training, layout_of(4, 1, 4), 8), RoutedTokens::own);
}

TEST(RoutedTokens, ExpertsOfSeveralGroupsGetTheirTokensFromThem) {
    EXPECT_EQ(routed(graph::Mode::decode, layout_of(2, 4, 1), 4), RoutedTokens::own);
    EXPECT_EQ(routed(graph::Mode::decode, layout_of(1, 4, 1), 4), RoutedTokens::own);
    EXPECT_EQ(routed(graph::Mode::decode, layout_of(4, 1, 1), 4), RoutedTokens::own) << "copies of experts";
    graph::ParallelLayout layout = layout_of(2, 1, 2);
    layout.cp = 2;
    EXPECT_EQ(routed(graph::Mode::prefill, layout, 4), RoutedTokens::own) << "tokens lie over cp";
}

}  // namespace
}  // namespace dse::frontend
