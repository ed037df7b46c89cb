// Also tests: rank_program.cpp
#include "dse/synth/fold.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/hand_trace.hpp"
#include "synth/rank_program.hpp"

namespace dse::synth {
namespace {

using dse::test::HandTrace;
using trace::chakra::CommType;
using trace::chakra::Groups;
using trace::chakra::TraceSet;

TraceSet one_program(const trace::chakra::RankTrace& trace, std::size_t ranks) {
    return {std::vector(ranks, trace), std::vector<std::uint32_t>(ranks, 0), 1, ranks};
}

/// embedding, then eight layers of a kernel and an all-reduce, then a kernel.
trace::chakra::RankTrace layers_of_a_model() {
    HandTrace trace;
    trace.compute(1, 1000, 1000);
    for (std::uint64_t layer = 0; layer < 8; ++layer) {
        const std::uint64_t id = 2 + 2 * layer;
        trace.compute(id, 1 << 20, 1 << 10, {id - 1});
        trace.collective(id + 1, CommType::all_reduce, 4096, "tp", {id});
    }
    trace.compute(18, 50, 50, {17});
    return trace.build();
}

Groups groups_of_eight() {
    Groups groups{8};
    groups.add("tp", {0, 1});
    groups.add("dp", {0, 2, 4, 6});
    return groups;
}

TEST(Fold, EqualLayersBecomeOneAndACount) {
    Corpus corpus;
    fold_job(one_program(layers_of_a_model(), 8), groups_of_eight(), {"job", 16, 128}, corpus);
    ASSERT_EQ(corpus.graphs.size(), 1U);
    const SmallGraph& graph = corpus.graphs.front();
    ASSERT_EQ(graph.nodes.size(), 4U);
    EXPECT_EQ(graph.repeats, (std::vector<std::int64_t>{1, 8, 8, 1}));
    EXPECT_EQ(graph.conditions, (Conditions{8, 2, 1, 16, 128}));
    EXPECT_EQ(to_string(corpus.labels[graph.nodes[2].label]), "collective all_reduce near");
    EXPECT_EQ(graph.nodes[2].volumes, (Volumes{0, 0, 4096}));
    EXPECT_EQ(graph.nodes[1].volumes, (Volumes{1 << 20, 1 << 10, 0}));
    EXPECT_TRUE(is_valid(graph));
}

TEST(Fold, RanksOfOneProgramAreOneGraph) {
    TraceSet set = one_program(layers_of_a_model(), 8);
    HandTrace other;
    other.compute(1, 5, 5).send(2, 7, 64, 1, {1});
    set.ranks[3] = other.build();
    set.program[3] = 1;
    set.programs = 2;
    Corpus corpus;
    fold_job(set, groups_of_eight(), {"job", 0, 0}, corpus);
    ASSERT_EQ(corpus.graphs.size(), 2U);
    EXPECT_EQ(corpus.names[1], "job (rank 3)");
    // From rank 3 to rank 7 is half of eight ranks: the ring has two.
    EXPECT_EQ(corpus.graphs[1].conditions.ring, 2);
    EXPECT_EQ(to_string(corpus.labels[corpus.graphs[1].nodes[1].label]), "send ring");
}

TEST(Fold, NodesOfTheHostAreLeftOutAndWaitsGoThroughThem) {
    HandTrace trace;
    trace.compute(1, 10, 10).recorded(2, 5, {1}, true).metadata(3, {2}).compute(4, 99, 99, {3});
    Corpus corpus;
    fold_job(one_program(trace.build(), 1), Groups{1}, {"job", 0, 0}, corpus);
    ASSERT_EQ(corpus.graphs.front().nodes.size(), 2U);
    EXPECT_EQ(corpus.graphs.front().nodes[1].parents, (std::vector<std::uint32_t>{0}));
}

TEST(Fold, AKernelWithADurationAloneHasBytes) {
    HandTrace trace;
    trace.recorded(1, 3);
    Corpus corpus;
    fold_job(one_program(trace.build(), 1), Groups{1}, {"job", 0, 0}, corpus);
    // 3 us at 1 TB/s.
    EXPECT_EQ(corpus.graphs.front().nodes[0].volumes, (Volumes{0, 3e6, 0}));
}

TEST(Fold, ALongProgramWithoutRepetitionsIsMerged) {
    HandTrace trace;
    for (std::uint64_t id = 1; id <= 1000; ++id)
        trace.compute(id, std::int64_t{1} << (id * id % 41), 8, {id - 1 > 0 ? id - 1 : 1001});
    trace.compute(1001, 1, 8);
    Corpus corpus;
    fold_job(one_program(trace.build(), 1), Groups{1}, {"job", 0, 0}, corpus);
    const SmallGraph& graph = corpus.graphs.front();
    EXPECT_LE(graph.nodes.size(), most_nodes);
    EXPECT_TRUE(is_valid(graph));
}

TEST(Fold, RolesFollowFromWhoMeets) {
    HandTrace trace;
    trace.collective(1, CommType::all_gather, 64, "tp");
    trace.collective(2, CommType::reduce_scatter, 64, "dp", {1});
    trace.collective(3, CommType::all_reduce, 64, "", {2});
    Vocabulary labels;
    const RankProgram program = program_of(trace.build(), 0, groups_of_eight(), labels);
    EXPECT_EQ(labels[program.nodes[0].label].role, Role::near);
    EXPECT_EQ(labels[program.nodes[1].label].role, Role::far);
    EXPECT_EQ(labels[program.nodes[2].label].role, Role::all);
    EXPECT_EQ(program.near, 2);
}

TEST(Fold, OperatorsInNames) {
    EXPECT_EQ(operator_in("forward.3/decoder_layer[1.17]/gemm.4"), "gemm");
    EXPECT_EQ(operator_in("aten::mm"), "aten::mm");
    EXPECT_EQ(operator_in("void kernel<float>"), "void");
    EXPECT_EQ(operator_in("layer_12"), "layer");
    EXPECT_EQ(operator_in(""), "");
}

TEST(Fold, AJobWithoutDevicesIsRefused) {
    HandTrace trace;
    trace.metadata(1);
    Corpus corpus;
    EXPECT_THROW(fold_job(one_program(trace.build(), 1), Groups{1}, {"job", 0, 0}, corpus), InputError);
}

}  // namespace
}  // namespace dse::synth
