#include "dse/synth/instantiate.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "dse/graph/totals.hpp"
#include "dse/synth/fold.hpp"
#include "dse/trace/chakra/export.hpp"
#include "dse/trace/chakra/trace_check.hpp"
#include "dse/trace/chakra/trace_set.hpp"
#include "support/temporary_folder.hpp"
#include "synth/graphs.hpp"

namespace dse::synth {
namespace {

namespace chakra = trace::chakra;

/// The traces of a small graph's job, as they are read again.
struct Written {
    Written(const SmallGraph& small, const Vocabulary& labels)
        : graph{instantiate(small, labels)}, groups{graph.mesh.ranks()} {
        chakra::ExportOptions options;
        options.prefix = folder.path("job");
        options.ranks = chakra::every_rank(graph.mesh);
        export_traces(graph, {}, options);
        set = chakra::read_traces(chakra::trace_files(options.prefix), faults);
        if (std::filesystem::exists(options.prefix + ".json"))
            chakra::read_groups(options.prefix + ".json", groups);
    }
    [[nodiscard]] bool ok() const {
        return check_traces(set, faults, groups, chakra::Coverage::all_ranks).ok();
    }
    [[nodiscard]] std::size_t count(chakra::NodeType type) const {
        std::size_t sum = 0;
        for (const chakra::TraceStep& step : set.ranks.front().trace->steps()) sum += step.type == type;
        return sum;
    }
    dse::test::TemporaryFolder folder;
    graph::Graph graph;
    chakra::Groups groups;
    std::vector<chakra::RankFaults> faults;
    chakra::TraceSet set;
};

TEST(Instantiate, TracesOfAStackAreSoundAndFoldBack) {
    Vocabulary labels;
    const SmallGraph small = test::stacked(labels, 8, 6, 1 << 20);
    const Written written{small, labels};
    EXPECT_TRUE(written.ok());
    EXPECT_EQ(written.set.ranks.size(), 8U);
    EXPECT_EQ(written.count(chakra::NodeType::comm_coll), 6U);
    EXPECT_EQ(written.count(chakra::NodeType::comp), 1U + 6 * 2 + 1);
    Corpus back;
    fold_job(written.set, written.groups, {"job", 0, 0}, back);
    ASSERT_EQ(back.graphs.size(), 1U);
    ASSERT_EQ(back.graphs[0].nodes.size(), small.nodes.size());
    EXPECT_EQ(back.graphs[0].repeats, small.repeats);
    EXPECT_EQ(back.graphs[0].conditions.near, 2);
    EXPECT_EQ(back.graphs[0].nodes[1].volumes, small.nodes[1].volumes);
    EXPECT_EQ(back.graphs[0].nodes[2].volumes, small.nodes[2].volumes);
}

TEST(Instantiate, SendsMeetReceives) {
    Vocabulary labels;
    const std::uint16_t gemm = labels.add({Kind::compute, Role::none, "gemm"});
    const std::uint16_t send = labels.add({Kind::send, Role::ring, ""});
    const std::uint16_t receive = labels.add({Kind::receive, Role::ring, ""});
    // A receive before any send, a send, its receive, and a send that nobody waits for.
    const SmallGraph small = layered({4, 1, 4, 0, 0},
                                     {{receive, {0, 0, 100}, {}},
                                      {gemm, {1e6, 1e3, 0}, {0}},
                                      {send, {0, 0, 200}, {1}},
                                      {receive, {0, 0, 300}, {2}},
                                      {send, {0, 0, 400}, {3}}},
                                     {3, 3, 3, 3, 3});
    const Written written{small, labels};
    EXPECT_TRUE(written.ok());
    // Three messages a round: the second receive waits for the first send.
    EXPECT_EQ(written.count(chakra::NodeType::comm_send), 9U);
    EXPECT_EQ(written.count(chakra::NodeType::comm_recv), 9U);
}

TEST(Instantiate, AnAllGatherBringsItsShard) {
    Vocabulary labels;
    const std::uint16_t gather = labels.add({Kind::collective, Role::far, "all_gather"});
    const std::uint16_t all = labels.add({Kind::collective, Role::all, "all_reduce"});
    const std::uint16_t store = labels.add({Kind::store, Role::none, ""});
    const SmallGraph small =
        layered({8, 2, 1, 0, 0},
                {{gather, {0, 0, 640}, {}}, {all, {0, 0, 64}, {0}}, {store, {0, 512, 0}, {1}}}, {1, 1, 1});
    const Written written{small, labels};
    EXPECT_TRUE(written.ok());
    const chakra::Trace& trace = *written.set.ranks.front().trace;
    EXPECT_EQ(trace.communication(chakra::NodeIndex{0}).size, 640);
    EXPECT_EQ(trace.communication(chakra::NodeIndex{1}).size, 64);
    EXPECT_EQ(written.count(chakra::NodeType::mem_store), 1U);
}

}  // namespace
}  // namespace dse::synth
