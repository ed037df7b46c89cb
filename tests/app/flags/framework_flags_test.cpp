#include "app/flags/framework_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/error_message.hpp"

namespace dse::app {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

/// 64 devices: tp 4, pp 2, hence dp 8; 128 sequences in microbatches of 2: 8 a rank.
study::Scenario training() {
    study::Scenario scenario;
    scenario.workload.model = "llama3_8b";
    scenario.workload.global_batch = 128;
    scenario.workload.sequence = 8192;
    scenario.workload.layout.tp = 4;
    scenario.workload.layout.pp = 2;
    scenario.workload.layout.microbatch = 2;
    scenario.workload.stack.recompute = graph::Recompute::full;
    scenario.system.devices = 64;
    return scenario;
}

TEST(FrameworkFlags, OfMegatron) {
    study::Scenario scenario = training();
    scenario.workload.layout.schedule = graph::ScheduleKind::interleaved;
    scenario.workload.layout.virtual_stages = 4;
    const FrameworkFlags flags = framework_flags(Framework::megatron, scenario);
    EXPECT_THAT(flags.flags,
                IsSupersetOf({"--tensor-model-parallel-size 4", "--pipeline-model-parallel-size 2",
                              "--micro-batch-size 2", "--global-batch-size 128", "--seq-length 8192",
                              "--num-virtual-stages-per-pipeline-rank 4", "--use-distributed-optimizer",
                              "--bf16", "--recompute-granularity full", "--sequence-parallel"}));
    EXPECT_TRUE(flags.missing.empty());
    scenario.workload.layout.schedule = graph::ScheduleKind::dualpipe;
    EXPECT_THAT(framework_flags(Framework::megatron, scenario).missing, Contains(HasSubstr("dualpipe")));
}

TEST(FrameworkFlags, LayersOfSixteenBitsHaveFlagsOfMegatron) {
    study::Scenario scenario = training();
    scenario.workload.stack.bf16_last_layers = 2;
    EXPECT_THAT(framework_flags(Framework::megatron, scenario).flags,
                Not(Contains("--first-last-layers-bf16")));
    scenario.workload.stack.precision = graph::Precision::fp8;
    EXPECT_THAT(framework_flags(Framework::megatron, scenario).flags,
                IsSupersetOf({"--first-last-layers-bf16", "--num-layers-at-start-in-bf16 0",
                              "--num-layers-at-end-in-bf16 2"}));
    EXPECT_THAT(framework_flags(Framework::torchtitan, scenario).missing,
                Contains(HasSubstr("bf16_last_layers")));
}

TEST(FrameworkFlags, OfTorchtitan) {
    study::Scenario scenario = training();
    scenario.workload.stack.zero = 3;
    const FrameworkFlags flags = framework_flags(Framework::torchtitan, scenario);
    EXPECT_THAT(flags.flags,
                IsSupersetOf({"--parallelism.data_parallel_shard_degree 8",
                              "--parallelism.data_parallel_replicate_degree 1",
                              "--parallelism.pipeline_parallel_schedule 1F1B",
                              "--training.local_batch_size 16", "--activation_checkpoint.mode full"}));
    scenario.workload.stack.zero = 1;
    EXPECT_THAT(framework_flags(Framework::torchtitan, scenario).missing,
                Contains(HasSubstr("ZeRO stage 1")));
}

TEST(FrameworkFlags, OfMaxText) {
    study::Scenario scenario = training();
    scenario.workload.stack.zero = 3;
    const FrameworkFlags flags = framework_flags(Framework::maxtext, scenario);
    EXPECT_THAT(flags.flags,
                IsSupersetOf({"ici_fsdp_parallelism=8", "ici_tensor_parallelism=4", "per_device_batch_size=2",
                              "num_pipeline_microbatches=8", "remat_policy=full"}));
}

TEST(FrameworkFlags, VllmGetsLayoutBatchLimitsAndQuantization) {
    study::Scenario scenario = training();
    scenario.workload.mode = graph::Mode::serving;
    scenario.workload.layout.pp = 1;
    scenario.workload.layout.dp = 2;
    scenario.workload.engine.max_sequences = 64;
    scenario.workload.stack.precision = graph::Precision::fp8;
    EXPECT_THAT(
        framework_flags(Framework::vllm, scenario).flags,
        IsSupersetOf({"--tensor-parallel-size 4", "--data-parallel-size 2", "--max-num-seqs 64",
                      "--max-num-batched-tokens 8192", "--enable-chunked-prefill", "--quantization fp8"}));
}

TEST(FrameworkFlags, EndsThatCountAsLayersHaveFlagsOfMegatron) {
    study::Scenario scenario = training();
    scenario.workload.layout.embedding_layers = 1;
    scenario.workload.layout.head_layers = 2;
    const FrameworkFlags flags = framework_flags(Framework::megatron, scenario);
    EXPECT_THAT(flags.flags, Contains("--account-for-embedding-in-pipeline-split"));
    EXPECT_THAT(flags.flags, Not(Contains("--account-for-loss-in-pipeline-split")));
    EXPECT_THAT(flags.missing, Contains(HasSubstr("head_layers")));
}

TEST(FrameworkFlags, AreRefusedWhereTheyMeanNothing) {
    study::Scenario scenario = training();
    EXPECT_THAT(dse::test::error_message([&] { framework_flags(Framework::vllm, scenario); }),
                HasSubstr("training"));
    scenario.workload.mode = graph::Mode::decode;
    EXPECT_THAT(dse::test::error_message([&] { framework_flags(Framework::megatron, scenario); }),
                HasSubstr("vllm"));
    scenario.system.pools.prefill.devices = 4;
    EXPECT_THAT(dse::test::error_message([&] { framework_flags(Framework::vllm, scenario); }),
                HasSubstr("two pools"));
    scenario.workload.model = "";
    EXPECT_THAT(dse::test::error_message([&] { framework_flags(Framework::vllm, scenario); }),
                HasSubstr("program"));
}

TEST(FrameworkFlags, ArePrintedForAPoint) {
    const auto outcome =
        test::run_app({"point", test::smoke_sweep(), "--set", "tp=8", "--no-what-if", "--flags", "megatron"});
    EXPECT_THAT(outcome.out, HasSubstr("--tensor-model-parallel-size 8"));
    const auto json =
        test::run_app({"point", test::smoke_sweep(), "--no-what-if", "--json", "--flags", "maxtext"}).json();
    EXPECT_THAT(json["flags"].dump(), HasSubstr("ici_tensor_parallelism=1"));
    EXPECT_EQ(test::run_app({"point", test::smoke_sweep(), "--flags", "nemo"}).code, 2);
}

}  // namespace
}  // namespace dse::app
