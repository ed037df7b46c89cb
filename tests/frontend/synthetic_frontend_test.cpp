#include "dse/frontend/synthetic_frontend.hpp"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/base/output_file.hpp"
#include "dse/synth/family.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::frontend {
namespace {

/// Jobs of three kernels, of 2^10 to 2^19 FLOP each, on 4 to 8 devices.
synth::Corpus family_of_chains() {
    synth::Corpus corpus;
    const std::uint16_t gemm = corpus.labels.add({synth::Kind::compute, synth::Role::none, "gemm"});
    const std::uint16_t reduce = corpus.labels.add({synth::Kind::collective, synth::Role::all, "all_reduce"});
    for (int octave = 10; octave < 20; ++octave) {
        const double size = std::exp2(octave);
        std::vector<synth::Node> nodes{
            {gemm, {size, size, 0}, {}}, {reduce, {0, 0, size}, {0}}, {gemm, {size, size, 0}, {1}}};
        const std::int64_t devices = octave % 2 == 0 ? 4 : 8;
        corpus.graphs.push_back(synth::layered({devices, 1, 1, 0, 0}, std::move(nodes), {1, 1, 1}));
        corpus.names.emplace_back("chain");
    }
    return corpus;
}

class SyntheticFrontendTest : public ::testing::Test {
  protected:
    SyntheticFrontendTest() {
        workload_.synthetic = folder_.path("chains.model");
        write_family(fit_family(family_of_chains(), "markov", "chains", "none"), workload_.synthetic,
                     Existing::refuse);
        layout_.mesh = graph::Mesh::dense(1, 1, 8, 1);
    }
    double flop_of(std::int64_t seed) {
        workload_.seed = seed;
        return total_of(frontend_.build(workload_, layout_));
    }
    static double total_of(const graph::Graph& graph) {
        double sum = 0.0;
        for (const graph::Work& work : graph.works) {
            if (const auto* compute = std::get_if<graph::Compute>(&work)) sum += compute->model_flop.value();
        }
        return sum;
    }
    test::TemporaryFolder folder_;
    graph::WorkloadSpec workload_;
    graph::ResolvedLayout layout_;
    SyntheticFrontend frontend_{config::Library{{}}};
};

TEST_F(SyntheticFrontendTest, DrawsOneJobForEachSeed) {
    std::set<double> totals;
    for (std::int64_t seed = 0; seed < 20; ++seed) totals.insert(flop_of(seed));
    EXPECT_GT(totals.size(), 5U) << "sizes are spread over ten octaves";
    const double first = flop_of(3);
    EXPECT_NE(flop_of(4), first);
    EXPECT_EQ(flop_of(3), first);
}

TEST_F(SyntheticFrontendTest, JobsAreForTheDevicesThatTheyRunOn) {
    EXPECT_EQ(frontend_.build(workload_, layout_).mesh.ranks(), 8);
    layout_.mesh = graph::Mesh::dense(1, 1, 12, 1);
    EXPECT_EQ(frontend_.build(workload_, layout_).mesh.ranks(), 12);
}

// What is compiled of a graph is kept by its revision.
TEST_F(SyntheticFrontendTest, AnotherJobIsAnotherRevision) {
    const std::uint64_t first = frontend_.build(workload_, layout_).revision;
    EXPECT_EQ(frontend_.build(workload_, layout_).revision, first);
    workload_.seed = 1;
    EXPECT_NE(frontend_.build(workload_, layout_).revision, first);
    frontend_.forget();
    EXPECT_EQ(frontend_.parameter_count(workload_), 0.0);
}

TEST_F(SyntheticFrontendTest, OneQueueIsOneStreamForAllMessages) {
    layout_.queues = graph::Queues::one;
    const graph::Graph& graph = frontend_.build(workload_, layout_);
    std::set<std::size_t> streams;
    for (const graph::Region& region : graph.regions) {
        for (const graph::Item& item : region.items) {
            if (item.kind == graph::Item::Kind::repeat) continue;
            if (std::holds_alternative<graph::Collective>(graph.works[item.work.index()]))
                streams.insert(item.stream.index());
        }
    }
    EXPECT_THAT(streams, ::testing::ElementsAre(1U));
}

TEST_F(SyntheticFrontendTest, RefusesFilesThatAreMissingOrNone) {
    const auto error = [this](const std::string& file) {
        return test::error_message<InputError>([&] { frontend_.check(file); });
    };
    EXPECT_EQ(error(workload_.synthetic), "no error");
    EXPECT_THAT(error("no.model"), ::testing::HasSubstr("there is no file 'no.model'"));
    EXPECT_THAT(error("no.model"), ::testing::HasSubstr("`dse list families`"));
    EXPECT_THAT(error(folder_.write("wrong.model", "hello\n")),
                ::testing::HasSubstr("wrong.model': not a family of synthetic workloads"));
}

}  // namespace
}  // namespace dse::frontend
