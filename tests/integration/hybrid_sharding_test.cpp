// Hybrid sharding: states are shared out over dp_shard of the data-parallel ranks, whole copies of them stand
// on the others. Volumes are the closed form of docs/theory/communication.md, HSDP; states those of
// docs/theory/memory.md with D = dp_shard.
#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "dse/sim/engine.hpp"
#include "stage_memory.hpp"
#include "support/collective_totals.hpp"

namespace dse {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::MemoryKind;
using graph::MeshAxis;
using test::CollectiveTotals;
using test::ModelSizes;

constexpr std::int64_t dp = 8;
constexpr std::int64_t global_batch = 32;
constexpr double microbatches = 4;
const ModelSizes& model = test::small_llama;

class HybridSharding : public testing::Test {
  protected:
    const graph::Graph& build(std::int64_t zero, std::int64_t shard, std::int64_t tp = 1,
                              const std::string& name = model.name) {
        graph::WorkloadSpec spec;
        spec.model = name;
        spec.global_batch = global_batch;
        spec.sequence = 32;
        spec.layout.tp = tp;
        spec.layout.etp = 1;
        spec.layout.dp_shard = shard;
        spec.stack.zero = zero;
        return frontend_.build(spec, graph::resolve(spec.layout, tp * dp, global_batch));
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

/// Elements of a layer, of the embedding, of the head: what one collective of unit `block` carries.
std::array<double, 3> units() {
    const double layer = model.layer_matrices() + model.layer_vectors();
    const double table = model.vocab * model.h;
    return {layer, table, table + model.head_vectors()};
}
double parameters() {
    const auto [layer, table, head] = units();
    return model.layers * layer + table + head;
}

TEST_F(HybridSharding, GathersAndScattersInsideAReplicaAndAddsTheShardsOnceAStep) {
    const double blocks = model.layers + 2;
    for (const std::int64_t shard : {2, 4}) {
        for (const std::int64_t zero : {1, 2, 3}) {
            const auto totals = test::collectives_of_stage(build(zero, shard), 0);
            const auto gathers = test::total_of(totals, CollectiveKind::all_gather, MeshAxis::data);
            const auto scatters = test::total_of(totals, CollectiveKind::reduce_scatter, MeshAxis::data);
            const auto sums = test::total_of(totals, CollectiveKind::all_reduce, MeshAxis::replica);
            // Z1: once a step; Z2 scatters, Z3 gathers and scatters every microbatch.
            EXPECT_EQ(gathers.count, blocks * (zero == 3 ? 2 * microbatches : 1));
            EXPECT_EQ(gathers.size.value(), 2 * parameters() * (zero == 3 ? 2 * microbatches : 1));
            EXPECT_EQ(scatters.count, blocks * (zero == 1 ? 1 : microbatches));
            EXPECT_EQ(scatters.size.value(), 4 * parameters() * (zero == 1 ? 1 : microbatches));
            // AR of 1/shard across replicas, once whatever the number of microbatches.
            EXPECT_EQ(sums.count, blocks);
            const auto [layer, table, head] = units();
            const auto share = [&](double elements) { return std::ceil(4 * elements / double(shard)); };
            EXPECT_EQ(sums.size.value(), model.layers * share(layer) + share(table) + share(head));
        }
    }
}

TEST_F(HybridSharding, WithoutZeroTheWholeGradientsAreAddedOverAll) {
    const auto totals = test::collectives_of_stage(build(0, 4), 0);
    const auto sums =
        test::total_of(totals, CollectiveKind::all_reduce, MeshAxis::data | AxisSet{MeshAxis::replica});
    EXPECT_EQ(sums.count, model.layers + 2);
    EXPECT_EQ(sums.size.value(), 4 * parameters());
    EXPECT_EQ(test::total_of(totals, CollectiveKind::all_reduce, MeshAxis::replica).count, 0);
}

/// Groups of one rank vanish: shards of all ranks have no replicas, shards of one rank no shards.
TEST_F(HybridSharding, AtItsEndsItIsFullShardingAndPlainDataParallelism) {
    const auto all = test::collectives_of_stage(build(3, dp), 0);
    const auto full = test::collectives_of_stage(build(3, 0), 0);
    ASSERT_EQ(all.size(), full.size());
    for (const auto& [key, total] : full) {
        EXPECT_EQ(all.at(key).count, total.count);
        EXPECT_EQ(all.at(key).size, total.size);
    }
    const auto none = test::collectives_of_stage(build(3, 1), 0);
    EXPECT_EQ(test::total_of(none, CollectiveKind::all_gather, MeshAxis::data).count, 0);
    EXPECT_EQ(test::total_of(none, CollectiveKind::all_reduce, MeshAxis::data | AxisSet{MeshAxis::replica})
                  .size.value(),
              4 * parameters());
}

TEST_F(HybridSharding, StatesAreDividedByTheShardsOnly) {
    for (const std::int64_t shard : {1, 2, 4, 8}) {
        for (const std::int64_t zero : {1, 2, 3}) {
            const graph::Graph& graph = build(zero, shard);
            const auto bytes = [&](std::int64_t from, double each) {
                return each * parameters() / static_cast<double>(zero >= from ? shard : 1);
            };
            const std::map<MemoryKind, double> expected{{MemoryKind::parameters, bytes(3, 2)},
                                                        {MemoryKind::gradients, bytes(2, 4)},
                                                        {MemoryKind::optimizer, bytes(1, 12)}};
            EXPECT_EQ(test::resident(graph), expected) << "zero " << zero << " shard " << shard;
        }
    }
}

/// Every replica sees a share of the batch: work and tokens of all ranks are those of full sharding.
TEST_F(HybridSharding, DoesTheWorkOfFullSharding) {
    const graph::Totals whole = graph::totals(build(3, 0));
    const graph::Totals hybrid = graph::totals(build(3, 2));
    EXPECT_EQ(hybrid.model_flop, whole.model_flop);
    EXPECT_EQ(hybrid.executed_flop, whole.executed_flop);
    // A rank gathers and scatters (n - 1)/n of what it did and adds a share of the gradients: less is sent.
    EXPECT_LT(hybrid.sent, whole.sent);
}

/// Experts have the same replicas: with tp 2 and etp 1, eight ranks of a replica share ep 1 · edp 8.
TEST_F(HybridSharding, ExpertsShardInsideAReplicaToo) {
    const auto totals = test::collectives_of_stage(build(3, 4, 2, "small_moe"), 0);
    EXPECT_GT(test::total_of(totals, CollectiveKind::reduce_scatter, MeshAxis::expert_data).count, 0);
    const auto sums = test::total_of(totals, CollectiveKind::all_reduce, MeshAxis::replica);
    EXPECT_EQ(sums.count, 8 + 8 + 2) << "of each layer the experts' and the others', apart; and the two ends";
}

/// dp_shard 1: attention's parameters have nobody to share with, experts' share over edp, which tp's ranks
/// make.
TEST_F(HybridSharding, WhereOnlyExpertsHaveSharesTheOthersAreAdded) {
    const graph::Graph& graph = build(3, 1, 2, "small_moe");
    graph::validate(graph);
    const auto totals = test::collectives_of_stage(graph, 0);
    EXPECT_EQ(test::total_of(totals, CollectiveKind::all_gather, MeshAxis::data).count, 0);
    EXPECT_GT(test::total_of(totals, CollectiveKind::all_gather, MeshAxis::expert_data).count, 0);
    EXPECT_EQ(test::total_of(totals, CollectiveKind::all_reduce, MeshAxis::replica).count, 8 + 8 + 2);
    const auto folded = sim::engines().find("folded")()->peak_memory(graph);
    EXPECT_EQ(folded, sim::engines().find("event")()->peak_memory(graph));
}

TEST_F(HybridSharding, ReplicasInsideExpertsOfAnotherFoldAreRefused) {
    graph::WorkloadSpec spec;
    spec.model = "small_moe";
    spec.global_batch = global_batch;
    spec.sequence = 32;
    spec.layout.tp = 2;
    spec.layout.etp = 1;
    spec.layout.ep = 2;
    spec.layout.dp_shard = 4;
    const auto names = graph::choice_names(graph::RankOrder{});
    const auto order = std::find(names.begin(), names.end(), "dp-tp-cp-ep-pp");
    spec.layout.rank_order = static_cast<graph::RankOrder>(order - names.begin());
    // Attention: dp 4, then the replicas; experts: edp 4, likewise: equal. With ep 4, edp is 2.
    frontend_.build(spec, graph::resolve(spec.layout, 16, global_batch));
    spec.layout.ep = 4;
    EXPECT_THROW(frontend_.build(spec, graph::resolve(spec.layout, 16, global_batch)), ModelError);
}

}  // namespace
}  // namespace dse
