// Families beyond decoders: however they are laid out, all ranks together do the same work and hold the same
// parameters; recommendation models exchange what their tables' layout asks for, and nothing else.
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "small_models.hpp"
#include "support/collective_totals.hpp"

namespace dse {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::MeshAxis;
using graph::Recompute;

class Families : public testing::Test {
  protected:
    const graph::Graph& build(const graph::WorkloadSpec& spec, std::int64_t devices) {
        return frontend_.build(spec, graph::resolve(spec.layout, devices, spec.global_batch));
    }

    static graph::WorkloadSpec spec_of(const std::string& model, std::int64_t sequence) {
        graph::WorkloadSpec spec;
        spec.model = model;
        spec.sequence = sequence;
        spec.global_batch = 64;
        return spec;
    }

    /// Every factorisation tp · pp · dp of up to 64 devices, ZeRO stages and recomputation in turn.
    /// \returns how many layouts there were
    int expect_everywhere(graph::WorkloadSpec spec, double model_flop) {
        int laid_out = 0;
        for (std::int64_t tp = 1; tp <= 8; tp *= 2) {
            for (std::int64_t pp = 1; pp <= 8; ++pp) {
                for (std::int64_t dp = 1; tp * pp * dp <= 64; dp *= 2) {
                    spec.layout.tp = tp;
                    spec.layout.pp = pp;
                    spec.layout.sequence_parallel = laid_out % 2 == 0;
                    spec.stack.zero = laid_out % 4;
                    spec.stack.recompute = static_cast<Recompute>(laid_out % 3);
                    const graph::Graph& graph = build(spec, tp * pp * dp);
                    EXPECT_EQ(graph::totals(graph).model_flop.value(), model_flop)
                        << spec.model << " tp " << tp << " pp " << pp << " dp " << dp << " sp "
                        << spec.layout.sequence_parallel;
                    ++laid_out;
                }
            }
        }
        return laid_out;
    }

    /// Of one kind on one rank of the only stage.
    static double resident(const graph::Graph& graph, graph::MemoryKind kind) {
        double bytes = 0;
        for (const graph::BufferId id : graph.programs.front().resident) {
            const graph::Buffer& buffer = graph.buffers[id.index()];
            if (buffer.kind == kind) bytes += buffer.size.value();
        }
        return bytes;
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

/// 17 tokens of width 64, MLP of 256, 8 layers; 16 patches of 192 numbers, whose gradient nobody asks for;
/// 16 classes of one token.
TEST_F(Families, VisionTransformersDoTheSameWorkEverywhere) {
    const double layer = 4 * 17 * 64 * 64 + 2 * 17 * 17 * 64 + 2 * 17 * 64 * 256;
    const double patches = 16 * 192 * 64;
    const double macs = 8 * layer + patches + 64 * 16;
    EXPECT_GT(expect_everywhere(spec_of("small_vit", 0), 2 * (3 * macs - patches) * 64), 80);
}

/// 32 tokens of width 64, 8 heads of 16 channels with a state of 8, 8 layers, 128 words; a scan is 7 FLOPs a
/// channel and number of state (docs/theory/work.md 1.2).
TEST_F(Families, StateSpaceModelsDoTheSameWorkEverywhere) {
    const double channels = 8 * 16;
    const double layer = 2 * 64 * (2 * channels + 2 * 8 + 8) + 7 * channels * 8 + 2 * channels * 64;
    const double forward = 8 * layer + 2 * 64 * 128;
    EXPECT_GT(expect_everywhere(spec_of("small_mamba", 32), 3 * forward * 32 * 64), 80);
}

/// 32 tokens of width 64, 128 words. Six layers see windows of 4 tokens, with 8 + 16 heads of 8; one sees
/// half of all on average and projects queries and keys alone, one values too, with heads of 16. MLPs of 96.
TEST_F(Families, Gemma4DoesTheSameWorkEverywhere) {
    const double mlp = 3 * 64 * 96;
    const double window = 64 * 24 * 8 + 8 * 8 * 64 + mlp + 2 * 4 * 8 * 8;
    const double full = 8 * 16 * 64 + mlp + 32 * 8 * 16;
    const double forward = 6 * window + 2 * full + 64 * 16 * 16 + 64 * 24 * 16 + 64 * 128;
    EXPECT_GT(expect_everywhere(spec_of("small_gemma4", 32), 2 * 3 * forward * 32 * 64), 80);
}

/// Six layers of linear attention with 8 heads of 16: products, decay and gate through 16 numbers, a scan of
/// 7 FLOPs a channel and number of state. Two of latent attention: queries of 12, keys and values through 16.
TEST_F(Families, KimiLinearDoesTheSameWorkEverywhere) {
    const double mlp = 3 * 64 * 96;
    const double linear = 64 * (3 * 128 + 8) + 64 * 32 + 2 * 16 * 128 + 128 * 64 + 7 * 128 * 16 / 2.0 + mlp;
    const double latent = 64 * 8 * 12 + 64 * 20 + 16 * 8 * 16 + 64 * 64 + 32 * 8 * 20 / 2.0 + mlp;
    const double forward = 6 * linear + 2 * latent + 64 * 128;
    EXPECT_GT(expect_everywhere(spec_of("small_kimi_linear", 32), 2 * 3 * forward * 32 * 64), 80);
}

/// Two streams of 64, mixed by two products with 8 results a layer; 8 heads of 16 whose keys are one. A token
/// sees 4 others; and 2 of 8 compressed ones, that an indexer chooses, or half of 4. Four experts and a
/// shared one.
TEST_F(Families, DeepSeekV4DoesTheSameWorkEverywhere) {
    const double layer =
        2 * 128 * 8 + 64 * 48 + 32 * 128 + 128 * 16 + 8 * 16 * 64 + 64 * 16 + 5 * 3 * 64 * 16;
    const double seen = 2 * 4 + 4 * (4 + 2) + 2 * (4 + 2);
    const double compression = 4 * 64 * 4 * 16 + 2 * 64 * 2 * 16;
    const double forward = 8 * layer + 2 * seen * 128 + compression + 128 * 2 + 64 * 128;
    EXPECT_GT(expect_everywhere(spec_of("small_deepseek_v4", 32), 2 * 3 * forward * 32 * 64), 80);
}

/// Every token sees all 32, or 8 in six layers of ModernBERT.
TEST_F(Families, EncodersDoTheSameWorkEverywhere) {
    const double head = 64 * 64 + 64 * 128;
    const double bert = 8 * (4 * 64 * 64 + 2 * 64 * 256 + 2 * 32 * 64) + head;
    EXPECT_GT(expect_everywhere(spec_of("small_bert", 32), 2 * 3 * bert * 32 * 64), 80);
    const double modern = 8 * (4 * 64 * 64 + 3 * 64 * 96) + 2 * (2 * 32 + 6 * 8) * 64 + head;
    EXPECT_GT(expect_everywhere(spec_of("small_modernbert", 32), 2 * 3 * modern * 32 * 64), 80);
}

/// A scan of 8 heads of 16 with a state of 8, beside attention with 8 heads of 8.
TEST_F(Families, ScansBesideAttentionDoTheSameWorkEverywhere) {
    const double scan = 64 * (2 * 128 + 8 + 2 * 8) + 128 * 64 + 7 * 128 * 8 / 2.0;
    const double attention = 64 * 24 * 8 + 64 * 64 + 32 * 64;
    const double forward = 8 * (scan + attention + 3 * 64 * 96) + 64 * 128;
    EXPECT_GT(expect_everywhere(spec_of("small_falcon_h1", 32), 2 * 3 * forward * 32 * 64), 80);
}

TEST_F(Families, HeadsOfAStateSpaceModelAreWhole) {
    graph::WorkloadSpec spec = spec_of("small_mamba", 32);
    spec.layout.tp = 16;
    EXPECT_THROW(static_cast<void>(build(spec, 16)), ModelError);
    spec.layout.tp = 1;
    spec.layout.cp = 2;
    EXPECT_THROW(static_cast<void>(build(spec, 2)), ModelError) << "a scan goes over the whole sequence";
}

/// Data parallel only: FLOPs of any number of devices are those of one, and parameters are held whole, or as
/// shares under ZeRO-3.
TEST_F(Families, ResidualNetworksAreDataParallel) {
    graph::WorkloadSpec spec = spec_of("small_resnet", 0);
    const double parameters = frontend_.parameter_count(spec);
    const double flop = graph::totals(build(spec, 1)).model_flop.value();
    for (const std::int64_t devices : {1, 2, 4, 8, 16, 32, 64}) {
        for (const std::int64_t zero : {0, 1, 2, 3}) {
            spec.stack.zero = zero;
            const graph::Graph& graph = build(spec, devices);
            graph::validate(graph);
            EXPECT_EQ(graph::totals(graph).model_flop.value(), flop);
            const double shares = zero == 3 ? static_cast<double>(devices) : 1.0;
            EXPECT_NEAR(resident(graph, graph::MemoryKind::parameters) * shares, 2 * parameters, devices);
        }
    }
    spec.layout.pp = 2;
    EXPECT_THROW(static_cast<void>(build(spec, 2)), ModelError);
}

constexpr double tables_devices = 8;

class Recommendation : public Families {
  protected:
    /// On 8 devices, 8 samples each, in one microbatch.
    const graph::Graph& on_eight(const std::string& model) {
        graph::WorkloadSpec spec = spec_of(model, 0);
        spec.layout.ep = 8;
        spec.layout.microbatch = 8;
        spec.stack.zero = 0;
        const graph::Graph& graph = build(spec, 8);
        graph::validate(graph);
        return graph;
    }
    const AxisSet ep_{MeshAxis::expert};
    const AxisSet dp_{MeshAxis::data};
};

/// Sums of whole tables are complete: they are exchanged, and so are ids and gradients. 8 samples of 16 bags
/// with 5 ids of 8 bytes = 5120; sums of 8 numbers of 2 bytes = 2048, as many there as back.
TEST_F(Recommendation, WholeTablesExchangeIdsSumsAndGradients) {
    const auto all = test::collectives_of_stage(on_eight("small_dlrm_tables"), 0);
    const auto exchanges = test::total_of(all, CollectiveKind::all_to_all, ep_);
    EXPECT_EQ(exchanges.count, 3);
    EXPECT_EQ(exchanges.size.value(), 8 * 16 * 5 * 8 + 2 * (8 * 16 * 8 * 2));
    EXPECT_EQ(test::total_of(all, CollectiveKind::reduce_scatter, ep_).count, 0);
    EXPECT_EQ(test::total_of(all, CollectiveKind::all_gather, ep_).count, 0);
    // Dense parameters, a block at a time: three blocks. Those of the first in fp32: 4·16 + 16 + 16·12 + 12 +
    // 12·8 + 8 = 388; 144·20 + 20 = 2900; 20 + 1.
    const auto reductions = test::total_of(all, CollectiveKind::all_reduce, dp_);
    EXPECT_EQ(reductions.count, 3);
    EXPECT_EQ(reductions.size.value(), 4 * (388 + 2900 + 21));
}

/// Sums over a device's rows are partial: reduced to where the samples are, gradients gathered from there. 8
/// samples with 7 ids = 448 bytes; sums of all 64 samples, 3 bags of 8 numbers = 3072.
TEST_F(Recommendation, RowsReduceSumsAndGatherGradients) {
    const auto all = test::collectives_of_stage(on_eight("small_dlrm"), 0);
    EXPECT_EQ(test::total_of(all, CollectiveKind::all_to_all, ep_).count, 1);
    EXPECT_EQ(test::total_of(all, CollectiveKind::all_to_all, ep_).size.value(), 8 * 7 * 8);
    for (const CollectiveKind kind : {CollectiveKind::reduce_scatter, CollectiveKind::all_gather}) {
        EXPECT_EQ(test::total_of(all, kind, ep_).count, 1);
        EXPECT_EQ(test::total_of(all, kind, ep_).size.value(), 64 * 3 * 8 * 2);
    }
}

/// A device has its share of the tables and a number for each of its rows; nothing of them is among gradients
/// or what the optimizer passes over. Dense: 388 + 14·20 + 20 + 21 = 709.
TEST_F(Recommendation, TablesAreUpdatedWhereTheyLie) {
    const graph::Graph& graph = on_eight("small_dlrm");
    const double dense = 388 + 14 * 20 + 20 + 21;
    const double rows = 1001.0 / tables_devices;
    EXPECT_NEAR(resident(graph, graph::MemoryKind::parameters), 2 * dense + 2 * 8 * rows, 1);
    EXPECT_EQ(resident(graph, graph::MemoryKind::gradients), 4 * dense);
    EXPECT_NEAR(resident(graph, graph::MemoryKind::optimizer), 12 * dense + 4 * rows, 1);
    const graph::Region& update = graph.regions[graph.programs.front().update.index()];
    const auto& pass = std::get<graph::Compute>(graph.works[update.items.front().work.index()]);
    EXPECT_EQ(pass.read.value(), (12 + 4) * dense);
}

TEST_F(Recommendation, TablesLieOnceOverAllDevices) {
    graph::WorkloadSpec spec = spec_of("small_dlrm", 0);
    spec.layout.ep = 4;
    try {
        static_cast<void>(build(spec, 8));
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_NE(std::string(error.what()).find("ep is 8, not 4"), std::string::npos) << error.what();
    }
}

/// Of any number of devices: the MLPs and the pairs. Bottom 4·16 + 16·12 + 12·8 = 352 (the gradient of 4
/// numbers is not asked for: 64), pairs of 4 features of 8 numbers 6·8 = 48, top 14·20 + 20 = 300.
TEST_F(Recommendation, DoesTheSameWorkOnAnyNumberOfDevices) {
    for (const std::int64_t devices : {1, 2, 4, 8, 16, 32, 64}) {
        graph::WorkloadSpec spec = spec_of("small_dlrm", 0);
        spec.layout.ep = devices;
        EXPECT_DOUBLE_EQ(graph::totals(build(spec, devices)).model_flop.value(),
                         2.0 * (3 * (352 + 48 + 300) - 64) * 64)
            << devices;
    }
}

}  // namespace
}  // namespace dse
