// Published sizes and docs/theory/work.md 1.3's FLOPs a token, summed over the nodes of all ranks.
#include <gtest/gtest.h>

#include "dse/config/library.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/graph/totals.hpp"
#include "support/source_dir.hpp"

namespace dse::frontend {
namespace {

struct Vector {
    const char* model;
    double parameters;
    double flop_per_token;
    std::int64_t sequence;
};

class TestVectors : public testing::TestWithParam<Vector> {};

TEST_P(TestVectors, ParametersAndFlopsATokenAreExact) {
    TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    const Vector& expected = GetParam();
    graph::WorkloadSpec spec;
    spec.model = expected.model;
    spec.global_batch = 64;
    spec.sequence = expected.sequence;
    EXPECT_EQ(frontend.parameter_count(spec), expected.parameters);
    for (const auto& [tp, pp, devices] :
         {std::tuple{1, 1, 1}, {8, 1, 8}, {4, 2, 32}, {1, 1, 8}, {2, 8, 64}}) {
        for (const bool sequence_parallel : {true, false}) {
            spec.layout.tp = tp;
            spec.layout.pp = pp;
            spec.layout.sequence_parallel = sequence_parallel;
            const auto layout = graph::resolve(spec.layout, devices, spec.global_batch);
            const graph::Graph& graph = frontend.build(spec, layout);
            graph::validate(graph);
            const double tokens = static_cast<double>(spec.global_batch * spec.sequence);
            EXPECT_EQ(graph::totals(graph).model_flop.value(), expected.flop_per_token * tokens)
                << "tp " << tp << " pp " << pp << " devices " << devices;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Published, TestVectors,
                         testing::Values(Vector{"llama3_8b", 8030261248, 51470401536, 8192},
                                         Vector{"llama3_70b", 70553706496, 449222541312, 8192},
                                         Vector{"llama3_405b", 405853388800, 2523955986432, 8192},
                                         Vector{"gpt3_175b", 174580064256, 1076442955776, 2048}),
                         [](const auto& model) { return std::string(model.param.model); });

}  // namespace
}  // namespace dse::frontend
