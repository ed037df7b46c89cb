// Both engines on the graphs of the shipped templates: one representative of each stage on (max,+) operators
// against every node of every rank. The event engine also checks that the members of a collective agree on
// what it is, and that every message meets its receive.
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/sim/engine.hpp"
#include "small_models.hpp"

namespace dse {
namespace {

using graph::Recompute;
using graph::ScheduleKind;

/// Durations that follow from the work and a seed: any will do, so long as nodes differ.
class SyntheticDurations {
  public:
    SyntheticDurations(const graph::Graph& graph, std::uint64_t seed) : random_{seed} {
        for (const graph::Work& work : graph.works) durations_.of_work.push_back(time_of(work));
        const std::size_t lanes = graph::lanes_of(graph.schedule);
        for (std::size_t end = 0; end < lanes * graph.program_of.size(); ++end) {
            durations_.forward.push_back(transfer());
            durations_.backward.push_back(transfer());
        }
        durations_.barrier = uniform(0, 5e-6);
    }
    [[nodiscard]] const sim::Durations& get() const { return durations_; }

  private:
    double uniform(double low, double high) {
        return sim::quantise(std::uniform_real_distribution<double>(low, high)(random_));
    }
    sim::NodeTime time_of(const graph::Work& work) {
        if (const auto* compute = std::get_if<graph::Compute>(&work)) {
            const double time = sim::quantise(compute->executed_flop.value() / 1e12 +
                                              (compute->read + compute->written).value() / 1e11) +
                                uniform(0, 1e-6);
            return {time, time, 0.0};
        }
        if (const auto* collective = std::get_if<graph::Collective>(&work)) {
            const double time = sim::quantise(collective->size.value() / 1e10) + uniform(0, 5e-6);
            const double visible = uniform(0, time);
            const double hold = uniform(0, time);
            return {time, visible, collective->members == graph::Members::all ? hold : 0.0};
        }
        const double time = uniform(0, 2e-6);
        return {time, time, 0.0};
    }
    sim::TransferTime transfer() {
        const double time = uniform(0, 1e-5);
        return {time, uniform(0, time)};
    }

    std::mt19937_64 random_;
    sim::Durations durations_;
};

class EnginesAgree : public testing::Test {
  protected:
    void compare(const graph::WorkloadSpec& spec, std::int64_t devices, std::uint64_t seed) {
        const graph::Graph& graph =
            frontend_.build(spec, graph::resolve(spec.layout, devices, spec.global_batch));
        graph::validate(graph);
        const SyntheticDurations durations(graph, seed);
        sim::validate(durations.get(), graph);
        const sim::Result folded = folded_->play(graph, durations.get());
        const sim::Result event = event_->play(graph, durations.get());
        ASSERT_EQ(folded.iteration_time, event.iteration_time) << describe(spec, devices);
        ASSERT_EQ(folded.last_stage, event.last_stage) << describe(spec, devices);
        ASSERT_EQ(folded.stages, event.stages) << describe(spec, devices);
        ASSERT_EQ(folded.stages[folded.last_stage].sum(), folded.iteration_time) << describe(spec, devices);
        ASSERT_EQ(folded.parts, event.parts) << describe(spec, devices);
        ASSERT_EQ(folded.parts->sum(), folded.iteration_time) << describe(spec, devices);
        ASSERT_EQ(folded_->peak_memory(graph), event_->peak_memory(graph)) << describe(spec, devices);
        ++compared_;
    }

    static std::string describe(const graph::WorkloadSpec& spec, std::int64_t devices) {
        return fmt::format(
            "{} on {}: tp {} cp {} ({}) pp {} ep {} etp {} v {} schedule {} sp {} zero {} prefetch {} "
            "recompute {} of {} dp_shard {} offload {} of {} prefetch {} precision {} of all but {} and {}",
            spec.model, devices, spec.layout.tp, spec.layout.cp, static_cast<int>(spec.stack.cp_attention),
            spec.layout.pp, spec.layout.ep, spec.layout.etp, spec.layout.virtual_stages,
            static_cast<int>(spec.layout.schedule), spec.layout.sequence_parallel, spec.stack.zero,
            spec.stack.prefetch, static_cast<int>(spec.stack.recompute), spec.stack.recompute_layers,
            spec.layout.dp_shard, static_cast<int>(spec.stack.offload), spec.stack.offload_layers,
            spec.stack.offload_prefetch, static_cast<int>(spec.stack.precision), spec.stack.bf16_first_layers,
            spec.stack.bf16_last_layers);
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
    std::unique_ptr<sim::Engine> folded_{sim::engines().find("folded")()};
    std::unique_ptr<sim::Engine> event_{sim::engines().find("event")()};
    int compared_{0};
};

class EnginesOnTemplates : public EnginesAgree, public testing::WithParamInterface<std::string> {};

class EnginesOnFamilies : public EnginesAgree {};

graph::WorkloadSpec small_spec(const std::string& model) {
    graph::WorkloadSpec spec;
    spec.model = model;
    spec.sequence = model == "small_vit" ? 0 : 32;
    spec.global_batch = 16;
    return spec;
}

bool splits_sequences(const std::string& model) {
    return model != "small_vit" && model != "small_mamba";
}

bool has_experts(const std::string& model) {
    return model == "small_moe" || model == "small_deepseek";
}

/// Every schedule × ZeRO stage × recomputation on 8 ranks, both axes of the mesh in use.
TEST_P(EnginesOnTemplates, AgreeOnEverySchedule) {
    std::uint64_t seed = 1;
    for (const auto schedule : {ScheduleKind::gpipe, ScheduleKind::one_f_one_b, ScheduleKind::interleaved,
                                ScheduleKind::zb_h1, ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
        for (const std::int64_t zero : {0, 1, 2, 3}) {
            for (const auto recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
                graph::WorkloadSpec spec = small_spec(GetParam());
                spec.layout.tp = 2;
                spec.layout.pp = 2;
                if (has_experts(GetParam())) {
                    spec.layout.ep = 2;
                    spec.layout.etp = 1 + static_cast<std::int64_t>(seed % 2);
                }
                spec.layout.schedule = schedule;
                spec.layout.virtual_stages = schedule == ScheduleKind::interleaved ? 2 : 1;
                spec.stack.zero = zero;
                spec.stack.recompute = recompute;
                spec.stack.prefetch = static_cast<std::int64_t>(seed % 4);
                compare(spec, 8, seed++);
            }
        }
    }
    EXPECT_EQ(compared_, 6 * 4 * 3);
}

TEST_P(EnginesOnTemplates, AgreeOnEveryPrefetchDistance) {
    for (const std::int64_t prefetch : {0, 1, 2, 3, 12}) {
        graph::WorkloadSpec spec = small_spec(GetParam());
        spec.stack.zero = 3;
        spec.stack.prefetch = prefetch;
        spec.layout.pp = 2;
        compare(spec, 8, static_cast<std::uint64_t>(prefetch));
    }
    EXPECT_EQ(compared_, 5);
}

TEST_P(EnginesOnTemplates, AgreeOnHybridShards) {
    std::uint64_t seed = 1;
    for (const std::int64_t zero : {0, 1, 2, 3}) {
        for (const std::int64_t shard : {1, 2, 4}) {
            graph::WorkloadSpec spec = small_spec(GetParam());
            spec.layout.tp = 2;
            spec.layout.etp = 1;
            spec.layout.pp = 2;
            spec.layout.schedule = seed % 2 == 0 ? ScheduleKind::zb_h1 : ScheduleKind::one_f_one_b;
            spec.layout.dp_shard = shard;
            spec.stack.zero = zero;
            spec.stack.reshard_after_forward = seed % 3 != 0;
            compare(spec, 32, seed++);
        }
    }
    EXPECT_EQ(compared_, 4 * 3);
}

/// Points drawn from the whole space, up to 64 ranks.
TEST_P(EnginesOnTemplates, AgreeOnRandomLayouts) {
    std::mt19937_64 random{20240611};
    const auto pick = [&](std::initializer_list<std::int64_t> from) {
        return *(from.begin() + random() % from.size());
    };
    for (int i = 0; i < 180; ++i) {
        graph::WorkloadSpec spec = small_spec(GetParam());
        spec.layout.tp = pick({1, 2, 4});
        spec.layout.cp = pick({1, 1, 2, 4});
        if (!splits_sequences(GetParam())) spec.layout.cp = 1;
        spec.layout.pp = pick({1, 2, 4, 8});
        spec.layout.microbatch = pick({1, 2});
        const std::int64_t dp = pick({1, 2, 4});
        const std::int64_t devices = spec.layout.tp * spec.layout.cp * spec.layout.pp * dp;
        if (devices > 64) continue;
        if (has_experts(GetParam())) {
            spec.layout.ep = pick({1, 2, 4, 8});
            spec.layout.etp = pick({0, 1, 2});
            const std::int64_t etp = spec.layout.etp == 0 ? spec.layout.tp : spec.layout.etp;
            if (spec.layout.tp * spec.layout.cp * dp % (etp * spec.layout.ep) != 0) continue;
            spec.routing.imbalance = static_cast<graph::Imbalance>(pick({0, 1, 2, 3}));
        }
        spec.layout.schedule = static_cast<ScheduleKind>(pick({0, 1, 2, 3, 4, 5}));
        const std::int64_t microbatches = spec.global_batch / (dp * spec.layout.microbatch);
        if (spec.layout.schedule == ScheduleKind::interleaved) {
            if (spec.layout.pp == 1 || spec.layout.pp == 8 || microbatches % spec.layout.pp != 0) continue;
            spec.layout.virtual_stages = 8 / spec.layout.pp;
        }
        if (spec.layout.schedule == ScheduleKind::zb_v && spec.layout.pp > 4) continue;  // of 8 layers
        const bool in_pairs = spec.layout.pp % 2 == 0 && microbatches >= 2 * spec.layout.pp;
        if (spec.layout.schedule == ScheduleKind::dualpipe && !in_pairs) continue;
        // Orders with the pipeline last or, where experts do not fold otherwise, anywhere.
        const bool folds_alike = !has_experts(GetParam());
        spec.layout.rank_order = static_cast<graph::RankOrder>(pick({0, 0, 6, 24, folds_alike ? 117 : 54}));
        spec.layout.sequence_parallel = pick({0, 1}) == 1;
        spec.stack.zero = pick({0, 1, 2, 3});
        // Experts in these orders have other replicas than attention: AgreeOnHybridShards has theirs.
        spec.layout.dp_shard = folds_alike && dp > 1 ? pick({0, 1, dp / 2}) : 0;
        spec.stack.prefetch = pick({0, 1, 2, 3});
        spec.stack.recompute = static_cast<Recompute>(pick({0, 1, 2}));
        spec.stack.recompute_layers = pick({0, 0, 1, 3});
        spec.stack.offload = static_cast<graph::Offload>(pick({0, 0, 1, 2, 3}));
        if (spec.layout.schedule == ScheduleKind::dualpipe && spec.stack.offload != graph::Offload::none)
            spec.stack.offload = graph::Offload::optimizer;
        spec.stack.offload_layers = pick({0, 0, 2});
        spec.stack.offload_prefetch = pick({1, 1, 2, 5});
        spec.stack.precision = static_cast<graph::Precision>(pick({3, 3, 5}));
        spec.stack.bf16_first_layers = pick({0, 0, 1});
        spec.stack.bf16_last_layers = pick({0, 0, 2});
        spec.stack.keep_activation_casts = pick({0, 1}) == 1;
        spec.stack.attention = static_cast<graph::Attention>(pick({0, 1}));
        spec.stack.cp_attention = static_cast<graph::ContextAttention>(pick({0, 1, 2}));
        const bool is_fused_alone = GetParam() == "small_deepseek";
        if (spec.layout.cp > 1 || is_fused_alone) spec.stack.attention = graph::Attention::flash;
        const bool splits_heads = spec.stack.cp_attention == graph::ContextAttention::ulysses;
        if (splits_heads && spec.layout.tp * spec.layout.cp > 4) continue;
        spec.stack.cuda_graphs = pick({0, 1}) == 1;
        spec.stack.compiled = pick({0, 1}) == 1;
        compare(spec, devices, random());
    }
    EXPECT_GE(compared_, has_experts(GetParam()) ? 40 : 60);
}

/// Families of one stage, whose tables lie over all devices.
TEST_F(EnginesOnFamilies, AgreeOnFamiliesOfOneStage) {
    std::uint64_t seed = 1;
    for (const char* model : {"small_resnet", "small_dlrm", "small_dlrm_tables"}) {
        for (const std::int64_t devices : {1, 2, 8}) {
            for (const std::int64_t zero : {0, 1, 2, 3}) {
                graph::WorkloadSpec spec = small_spec(model);
                spec.sequence = 0;
                const bool is_resnet =
                    model == std::string{"small_resnet"};  // the others have nothing to recompute
                spec.layout.ep = is_resnet ? 1 : devices;
                spec.layout.microbatch = 1 + static_cast<std::int64_t>(seed % 2);
                spec.stack.zero = zero;
                if (is_resnet) spec.stack.recompute = static_cast<Recompute>(seed % 3);
                spec.stack.prefetch = static_cast<std::int64_t>(seed % 4);
                compare(spec, devices, seed++);
            }
        }
    }
    EXPECT_EQ(compared_, 3 * 3 * 4);
}

INSTANTIATE_TEST_SUITE_P(Small, EnginesOnTemplates,
                         testing::Values("small_llama", "small_gpt", "small_moe", "small_deepseek",
                                         "small_vit", "small_mamba"),
                         [](const auto& model) { return model.param; });

}  // namespace
}  // namespace dse
