#include "frontend/template/structure_key.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace dse::frontend {
namespace {

using graph::WorkloadSpec;

StructureKey key(const WorkloadSpec& spec, std::int64_t devices) {
    return StructureKey(spec, graph::resolve(spec.layout, devices, spec.global_batch));
}

WorkloadSpec base() {
    WorkloadSpec spec;
    spec.global_batch = 64;
    spec.layout.tp = 2;
    spec.layout.pp = 2;
    spec.stack.zero = 3;
    return spec;
}

TEST(StructureKey, ChangesWithWhatDecidesNodes) {
    const std::vector<std::function<void(WorkloadSpec&)>> changes{
        [](WorkloadSpec& s) { s.layout.tp = 1; },
        [](WorkloadSpec& s) { s.layout.pp = 4; },
        [](WorkloadSpec& s) { s.layout.virtual_stages = 2; },
        [](WorkloadSpec& s) { s.layout.schedule = graph::ScheduleKind::zb_h1; },
        [](WorkloadSpec& s) { s.layout.schedule = graph::ScheduleKind::zb_v; },
        [](WorkloadSpec& s) { s.layout.schedule = graph::ScheduleKind::dualpipe; },
        [](WorkloadSpec& s) { s.layout.sequence_parallel = false; },
        [](WorkloadSpec& s) { s.layout.embedding_layers = 1; },
        [](WorkloadSpec& s) { s.layout.head_layers = 1; },
        [](WorkloadSpec& s) { s.stage_layers = "3 5"; },
        [](WorkloadSpec& s) { s.stack.zero = 2; },
        [](WorkloadSpec& s) { s.stack.prefetch = 3; },
        [](WorkloadSpec& s) { s.stack.backward_prefetch = graph::BackwardPrefetch::post; },
        [](WorkloadSpec& s) { s.stack.gather_unit = graph::GatherUnit::parameter; },
        [](WorkloadSpec& s) { s.stack.unit_copies = graph::UnitCopies::gradients; },
        [](WorkloadSpec& s) { s.stack.unit_copies = graph::UnitCopies::all; },
        [](WorkloadSpec& s) { s.stack.reshard_after_forward = false; },
        [](WorkloadSpec& s) { s.stack.merge_input_gradients = false; },
        [](WorkloadSpec& s) { s.stack.regather_inputs = false; },
        [](WorkloadSpec& s) { s.stack.recompute = graph::Recompute::full; },
        [](WorkloadSpec& s) {
            s.stack.recompute = graph::Recompute::full;
            s.stack.recompute_unread = false;
        },
        [](WorkloadSpec& s) { s.stack.precision = graph::Precision::fp8; },
        [](WorkloadSpec& s) {
            s.stack.precision = graph::Precision::fp8;
            s.stack.bf16_last_layers = 1;
        },
        [](WorkloadSpec& s) { s.stack.attention = graph::Attention::unfused; },
        [](WorkloadSpec& s) { s.stack.offload = graph::Offload::optimizer; },
        [](WorkloadSpec& s) { s.stack.primary_weights = graph::PrimaryWeights::master; },
        [](WorkloadSpec& s) { s.stack.fused_optimizer = false; },
        [](WorkloadSpec& s) { s.stack.update_launches = 2.0; },
        [](WorkloadSpec& s) { s.stack.zeroed_gradients = true; },
        [](WorkloadSpec& s) { s.stack.keep_activation_casts = true; },
        [](WorkloadSpec& s) { s.stack.gather_activation_casts = true; },
        [](WorkloadSpec& s) { s.stack.fp8_attention = true; },
        [](WorkloadSpec& s) { s.stack.scan_backward = 3.0; },
        [](WorkloadSpec& s) { s.stack.narrow_head = true; },
        [](WorkloadSpec& s) { s.layout.dp_shard = 2; },
        [](WorkloadSpec& s) { s.stack.loss = graph::LossKernel::fused; },
        [](WorkloadSpec& s) { s.stack.cast_recipe = graph::CastRecipe::row; },
        [](WorkloadSpec& s) { s.stack.cuda_graphs = true; },
        [](WorkloadSpec& s) { s.stack.compiled = false; },
        [](WorkloadSpec& s) { s.stack.launch_factor = 2.0; },
        [](WorkloadSpec& s) { s.stack.backward_launches = 0.5; },
        [](WorkloadSpec& s) { s.stack.router_graphs = true; },
        [](WorkloadSpec& s) { s.stack.attention_graphs = true; },
        [](WorkloadSpec& s) { s.stack.permutation = graph::Permutation::indexed; },
        [](WorkloadSpec& s) { s.stack.expert_training_rate = 0.5; },
        [](WorkloadSpec& s) { s.stack.dispatch_rate = BytesPerSecond{1e9}; },
        [](WorkloadSpec& s) { s.stack.eager_squared_relu = true; },
        [](WorkloadSpec& s) { s.stack.synchronous_transfers = true; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        WorkloadSpec changed = base();
        changes[i](changed);
        EXPECT_NE(key(changed, 16), key(base(), 16)) << "change " << i;
    }
}

TEST(StructureKey, StaysWhereOnlyNumbersChange) {
    const std::vector<std::function<void(WorkloadSpec&)>> changes{
        [](WorkloadSpec& s) { s.layout.tp = 4; },
        [](WorkloadSpec& s) { s.layout.microbatch = 2; },
        [](WorkloadSpec& s) { s.layout.schedule = graph::ScheduleKind::gpipe; },
        [](WorkloadSpec& s) { s.global_batch = 128; },
        [](WorkloadSpec& s) { s.sequence = 99; },
        [](WorkloadSpec& s) { s.stack.gradient_precision = graph::Precision::bf16; },
        [](WorkloadSpec& s) { s.stack.reduction_precision = graph::ReductionPrecision::fp32; },
        [](WorkloadSpec& s) { s.stack.master_precision = graph::Precision::bf16; },
        [](WorkloadSpec& s) { s.stack.optimizer_precision = graph::Precision::bf16; },
        [](WorkloadSpec& s) { s.stack.keep_weight_casts = true; },
        [](WorkloadSpec& s) { s.stack.gather_casts = true; },
        [](WorkloadSpec& s) { s.stack.recompute_layers = 3; },
        [](WorkloadSpec& s) { s.stack.bf16_first_layers = 3; },
        [](WorkloadSpec& s) { s.stack.offload_layers = 3; },
        [](WorkloadSpec& s) { s.recompute_tensors = "act"; },
        [](WorkloadSpec& s) { s.stack.exposed_tp = 0.5; },
        [](WorkloadSpec& s) { s.stack.exposed_cp = 0.5; },
        [](WorkloadSpec& s) { s.stack.exposed_dp = 0.5; },
        [](WorkloadSpec& s) { s.stack.exposed_pp = 0.5; },
        [](WorkloadSpec& s) { s.stack.allocator_overhead = 0.1; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        WorkloadSpec changed = base();
        changes[i](changed);
        EXPECT_EQ(key(changed, 16), key(base(), 16)) << "change " << i;
    }
}

/// None, some or all of what data parallelism sends once a step waits; how much is a number.
TEST(StructureKey, KnowsWhetherReductionsOfAPipelineWait) {
    const auto exposed = [](double share, std::int64_t pp, std::int64_t zero) {
        WorkloadSpec spec = base();
        spec.layout.pp = pp;
        spec.stack.zero = zero;
        spec.stack.exposed_dp = share;
        return key(spec, 16);
    };
    EXPECT_NE(exposed(0.0, 2, 1), exposed(0.5, 2, 1));
    EXPECT_NE(exposed(1.0, 2, 1), exposed(0.5, 2, 1));
    EXPECT_EQ(exposed(0.3, 2, 1), exposed(0.5, 2, 1));
    EXPECT_EQ(exposed(1.0, 1, 1), exposed(0.0, 1, 1)) << "one stage";
    EXPECT_EQ(exposed(1.0, 2, 3), exposed(0.0, 2, 3)) << "after each microbatch";
    WorkloadSpec whole = base();
    whole.stack.accumulate_whole = true;
    EXPECT_NE(key(whole, 16), key(base(), 16));
}

/// ZeRO-3's hooks run on one device, too, other stages have none.
TEST(StructureKey, KnowsTheHostsTimeForFetches) {
    const auto fetches = [](double launches, std::int64_t zero, std::int64_t devices) {
        WorkloadSpec spec = base();
        spec.layout.tp = spec.layout.pp = 1;
        spec.stack.zero = zero;
        spec.stack.fetch_launches = launches;
        return key(spec, devices);
    };
    EXPECT_NE(fetches(9.0, 3, 16), fetches(0.0, 3, 16));
    EXPECT_NE(fetches(9.0, 3, 1), fetches(0.0, 3, 1));
    EXPECT_EQ(fetches(9.0, 2, 16), fetches(0.0, 2, 16));
}

TEST(StructureKey, KnowsWhetherZeroReducesWhole) {
    WorkloadSpec spec = base();
    spec.stack.zero = 1;
    const StructureKey scattered = key(spec, 16);
    spec.stack.reduce_whole = true;
    EXPECT_NE(key(spec, 16), scattered);
    spec.stack.zero = 0;
    const StructureKey all = key(spec, 16);
    spec.stack.reduce_whole = false;
    EXPECT_EQ(key(spec, 16), all) << "as without ZeRO anyway";
}

TEST(StructureKey, KnowsWhichTensorsAndLayersAreDropped) {
    WorkloadSpec spec = base();
    spec.stack.recompute = graph::Recompute::selective;
    const StructureKey plain = key(spec, 16);
    spec.stack.recompute_layers = 3;
    EXPECT_NE(key(spec, 16), plain);
    spec.stack.recompute_layers = 0;
    spec.recompute_tensors = "act";
    const StructureKey act = key(spec, 16);
    EXPECT_NE(act, plain);
    spec.recompute_tensors = "a1";
    EXPECT_NE(key(spec, 16), act);
}

/// Where stages divide the layers changes no block, but what is recomputed does.
TEST(StructureKey, OfBlocksForgetsHowStagesDivideTheLayers) {
    const auto blocks = [](const WorkloadSpec& spec) {
        return StructureKey::of_blocks(spec, graph::resolve(spec.layout, 16, spec.global_batch));
    };
    WorkloadSpec divided = base();
    divided.stage_layers = "1,3";
    divided.layout.embedding_layers = 1;
    EXPECT_NE(key(divided, 16), key(base(), 16));
    EXPECT_EQ(blocks(divided), blocks(base()));
    WorkloadSpec recomputed = base();
    recomputed.stack.recompute = graph::Recompute::full;
    EXPECT_NE(blocks(recomputed), blocks(base()));
    recomputed.stack.recompute = graph::Recompute::selective;
    WorkloadSpec named = recomputed;
    named.recompute_tensors = "act";
    EXPECT_NE(blocks(named), blocks(recomputed));
}

/// A ring has as many chunks as it has ranks; the other ways are the same for all degrees above one.
TEST(StructureKey, KnowsTheRanksOfARing) {
    const auto with = [](std::int64_t cp, graph::ContextAttention way) {
        WorkloadSpec spec = base();
        spec.layout.cp = cp;
        spec.stack.cp_attention = way;
        return key(spec, 64);
    };
    using graph::ContextAttention;
    EXPECT_NE(with(2, ContextAttention::ring), with(4, ContextAttention::ring));
    EXPECT_EQ(with(2, ContextAttention::ulysses), with(4, ContextAttention::ulysses));
    EXPECT_NE(with(2, ContextAttention::ulysses), with(2, ContextAttention::all_gather));
    EXPECT_EQ(with(1, ContextAttention::ulysses), with(1, ContextAttention::ring));
}

TEST(StructureKey, ZeroStagesAreAllTheSameOnOneReplica) {
    WorkloadSpec spec = base();
    spec.stack.zero = 0;
    EXPECT_EQ(key(spec, 4), key(base(), 4));
    spec = base();
    spec.stack.zero = 1;
    WorkloadSpec ahead = spec;
    ahead.stack.prefetch = 3;
    EXPECT_EQ(key(spec, 16), key(ahead, 16)) << "only the third sends ahead";
}

/// Kept from a forward pass to the backward pass, what lies outside of layers would be there once for each
/// microbatch in flight.
TEST(StructureKey, HasUnitsOfLayersOnlyWhereABackwardPassFollowsItsForwardPass) {
    const auto differs = [](const std::function<void(WorkloadSpec&)>& change) {
        WorkloadSpec block = base();
        block.layout.pp = 1;
        block.stack.prefetch = 1;
        change(block);
        WorkloadSpec layer = block;
        layer.stack.gather_unit = graph::GatherUnit::layer;
        return key(layer, 16) != key(block, 16);
    };
    EXPECT_TRUE(differs([](WorkloadSpec&) {}));
    EXPECT_FALSE(differs([](WorkloadSpec& s) { s.layout.pp = 2; }));
    EXPECT_FALSE(differs([](WorkloadSpec& s) { s.layout.schedule = graph::ScheduleKind::gpipe; }));
    EXPECT_FALSE(differs([](WorkloadSpec& s) { s.layout.schedule = graph::ScheduleKind::zb_h1; }));
    EXPECT_FALSE(differs([](WorkloadSpec& s) { s.stack.prefetch = 0; }));
    EXPECT_FALSE(differs([](WorkloadSpec& s) { s.stack.reshard_after_forward = false; }));
    EXPECT_FALSE(differs([](WorkloadSpec& s) { s.stack.zero = 2; }));
}

TEST(StructureKey, OfInferenceForgetsTheBackwardPass) {
    const auto serving = [](graph::Mode mode) {
        WorkloadSpec spec = base();
        spec.mode = mode;
        return spec;
    };
    const StructureKey decode = key(serving(graph::Mode::decode), 16);
    const StructureKey prefill = key(serving(graph::Mode::prefill), 16);
    EXPECT_NE(decode, prefill);
    EXPECT_NE(decode, key(base(), 16));
    EXPECT_NE(prefill, key(base(), 16));
    const std::vector<std::function<void(WorkloadSpec&)>> without_effect{
        [](WorkloadSpec& s) { s.stack.zero = 1; },
        [](WorkloadSpec& s) { s.stack.recompute = graph::Recompute::full; },
        [](WorkloadSpec& s) { s.stack.loss = graph::LossKernel::fused; },
        [](WorkloadSpec& s) { s.layout.schedule = graph::ScheduleKind::zb_h1; },
        [](WorkloadSpec& s) { s.serving.context = 77; },
        [](WorkloadSpec& s) { s.serving.kv_cache_precision = graph::CachePrecision::fp8; },
        [](WorkloadSpec& s) { s.serving.state_precision = graph::StatePrecision::bf16; },
    };
    for (std::size_t i = 0; i < without_effect.size(); ++i) {
        for (const auto mode : {graph::Mode::prefill, graph::Mode::decode}) {
            WorkloadSpec changed = serving(mode);
            without_effect[i](changed);
            EXPECT_EQ(key(changed, 16), key(serving(mode), 16)) << "change " << i;
        }
    }
    WorkloadSpec whole = serving(graph::Mode::decode);
    whole.layout.sequence_parallel = false;
    EXPECT_EQ(key(whole, 16), decode) << "one token is not split";
    whole.mode = graph::Mode::prefill;
    EXPECT_NE(key(whole, 16), prefill);
}

/// Of eight devices with experts in groups of four: those of one tensor-parallel group, and of two.
TEST(StructureKey, SaysWhoseTokensExpertsGet) {
    WorkloadSpec one = base();
    one.mode = graph::Mode::decode;
    one.layout.pp = 1;
    one.layout.ep = 2;
    one.layout.etp = 2;
    WorkloadSpec two = one;
    one.layout.tp = 4;
    EXPECT_NE(key(one, 8), key(two, 8));
}

}  // namespace
}  // namespace dse::frontend
