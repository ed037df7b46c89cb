// Also tests: flags/server_flags.cpp

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

/// The command line of a point with only one.
FrameworkFlags only(Framework framework, const study::Scenario& scenario) {
    const std::vector<FrameworkFlags> flags = framework_flags(framework, scenario);
    EXPECT_EQ(flags.size(), 1U);
    EXPECT_EQ(flags.front().role, "");
    return flags.front();
}

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
    const FrameworkFlags flags = only(Framework::megatron, scenario);
    EXPECT_THAT(flags.flags,
                IsSupersetOf({"--tensor-model-parallel-size 4", "--pipeline-model-parallel-size 2",
                              "--micro-batch-size 2", "--global-batch-size 128", "--seq-length 8192",
                              "--num-virtual-stages-per-pipeline-rank 4", "--use-distributed-optimizer",
                              "--bf16", "--recompute-granularity full", "--sequence-parallel"}));
    EXPECT_TRUE(flags.missing.empty());
    scenario.workload.layout.schedule = graph::ScheduleKind::dualpipe;
    EXPECT_THAT(only(Framework::megatron, scenario).missing, Contains(HasSubstr("dualpipe")));
}

TEST(FrameworkFlags, LayersOfSixteenBitsHaveFlagsOfMegatron) {
    study::Scenario scenario = training();
    scenario.workload.stack.bf16_last_layers = 2;
    EXPECT_THAT(only(Framework::megatron, scenario).flags, Not(Contains("--first-last-layers-bf16")));
    scenario.workload.stack.precision = graph::Precision::fp8;
    EXPECT_THAT(only(Framework::megatron, scenario).flags,
                IsSupersetOf({"--first-last-layers-bf16", "--num-layers-at-start-in-bf16 0",
                              "--num-layers-at-end-in-bf16 2"}));
    EXPECT_THAT(only(Framework::torchtitan, scenario).missing, Contains(HasSubstr("bf16_last_layers")));
}

TEST(FrameworkFlags, OfTorchtitan) {
    study::Scenario scenario = training();
    scenario.workload.stack.zero = 3;
    const FrameworkFlags flags = only(Framework::torchtitan, scenario);
    EXPECT_THAT(flags.flags,
                IsSupersetOf({"--parallelism.data_parallel_shard_degree 8",
                              "--parallelism.data_parallel_replicate_degree 1",
                              "--parallelism.pipeline_parallel_schedule 1F1B",
                              "--training.local_batch_size 16", "--activation_checkpoint.mode full"}));
    scenario.workload.stack.zero = 1;
    EXPECT_THAT(only(Framework::torchtitan, scenario).missing, Contains(HasSubstr("ZeRO stage 1")));
}

TEST(FrameworkFlags, OfMaxText) {
    study::Scenario scenario = training();
    scenario.workload.stack.zero = 3;
    const FrameworkFlags flags = only(Framework::maxtext, scenario);
    EXPECT_THAT(flags.flags,
                IsSupersetOf({"ici_fsdp_parallelism=8", "ici_tensor_parallelism=4", "per_device_batch_size=2",
                              "num_pipeline_microbatches=8", "remat_policy=full"}));
}

/// Two replicas over four devices each, 64 requests at a time.
study::Scenario serving() {
    study::Scenario scenario = training();
    scenario.workload.mode = graph::Mode::serving;
    scenario.workload.layout.pp = 1;
    scenario.workload.layout.dp = 2;
    scenario.workload.engine.max_sequences = 64;
    scenario.workload.stack.precision = graph::Precision::fp8;
    scenario.workload.stack.cuda_graphs = true;
    scenario.system.devices = 8;
    return scenario;
}
/// One replica whose eight attention ranks share the experts.
study::Scenario wide() {
    study::Scenario scenario = serving();
    scenario.workload.layout.tp = 1;
    scenario.workload.layout.ep = 8;
    scenario.workload.layout.dp = 8;
    scenario.workload.engine.attention_dp = 8;
    return scenario;
}

TEST(FrameworkFlags, VllmGetsLayoutBatchLimitsAndQuantization) {
    const FrameworkFlags flags = only(Framework::vllm, serving());
    EXPECT_THAT(flags.flags, IsSupersetOf({"--tensor-parallel-size 4", "--data-parallel-size 2",
                                           "--max-num-seqs 64", "--max-num-batched-tokens 8192",
                                           "--enable-chunked-prefill", "--quantization fp8"}));
    EXPECT_TRUE(flags.missing.empty());
    EXPECT_THAT(
        only(Framework::vllm, wide()).flags,
        IsSupersetOf({"--tensor-parallel-size 1", "--data-parallel-size 8", "--enable-expert-parallel"}));
}

TEST(FrameworkFlags, SGLangCountsAttentionRanksTogether) {
    study::Scenario scenario = serving();
    scenario.workload.engine.scheduler = graph::Scheduler::sglang;
    EXPECT_THAT(only(Framework::sglang, scenario).flags,
                IsSupersetOf({"--tp-size 4", "--dp-size 2", "--max-running-requests 64",
                              "--chunked-prefill-size 8192", "--disable-radix-cache", "--quantization fp8"}));
    scenario = wide();
    scenario.workload.engine.chunked_prefill = false;
    scenario.workload.engine.prefix_cache = true;
    scenario.workload.engine.host_cache = Bytes{10.5e9};
    // The tensor parallelism of SGLang and its limits are those of all eight ranks.
    const FrameworkFlags flags = only(Framework::sglang, scenario);
    EXPECT_THAT(flags.flags,
                IsSupersetOf({"--tp-size 8", "--dp-size 8", "--enable-dp-attention", "--ep-size 8",
                              "--max-running-requests 512", "--chunked-prefill-size -1",
                              "--max-prefill-tokens 8192", "--hicache-size 11"}));
    EXPECT_THAT(flags.flags, Not(Contains("--disable-radix-cache")));
    EXPECT_THAT(flags.missing, Contains(HasSubstr("scheduler of another engine")));
}

TEST(FrameworkFlags, TensorRTLLMReadsAFile) {
    study::Scenario scenario = wide();
    scenario.workload.engine.scheduler = graph::Scheduler::tensorrt;
    scenario.workload.engine.cache_share = 0.85;
    scenario.workload.engine.hold_steps = 40;
    scenario.workload.engine.hold_share = 0.8;
    const FrameworkFlags flags = only(Framework::trtllm, scenario);
    EXPECT_THAT(flags.flags, IsSupersetOf({"--tp_size 8", "--ep_size 8", "--max_batch_size 64",
                                           "--max_num_tokens 8192", "--config config.yaml"}));
    EXPECT_THAT(flags.configuration,
                IsSupersetOf({"enable_attention_dp: true", "batch_wait_timeout_iters: 40",
                              "batch_wait_max_tokens_ratio: 0.8", "kv_cache_config:",
                              "  enable_block_reuse: false", "  free_gpu_memory_fraction: 0.85"}));
    EXPECT_THAT(only(Framework::trtllm, serving()).missing,
                Contains("replicas: 2 servers like this one, behind a router"));
}

TEST(FrameworkFlags, TensorRTLLMLacksBatchesInTwoParts) {
    study::Scenario scenario = serving();
    EXPECT_THAT(only(Framework::trtllm, scenario).missing, Not(Contains(HasSubstr("two_batch"))));
    scenario.workload.engine.two_batch = true;
    EXPECT_THAT(only(Framework::trtllm, scenario).missing, Contains(HasSubstr("two_batch")));
    EXPECT_THAT(only(Framework::sglang, scenario).flags, Contains("--enable-two-batch-overlap"));
}

TEST(FrameworkFlags, ServersGetDraftsAdaptersAndCachePrecision) {
    study::Scenario scenario = serving();
    scenario.workload.engine.speculative = graph::Speculation::mtp;
    scenario.workload.engine.speculative_tokens = 2;
    scenario.workload.traffic.adapters = 50;
    scenario.workload.engine.max_loras = 8;
    scenario.workload.serving.kv_cache_precision = graph::CachePrecision::fp8;
    EXPECT_THAT(
        only(Framework::vllm, scenario).flags,
        IsSupersetOf({R"(--speculative-config '{"method": "mtp", "num_speculative_tokens": 2}')",
                      "--enable-lora", "--max-loras 8", "--max-lora-rank 16", "--kv-cache-dtype fp8"}));
    EXPECT_THAT(only(Framework::sglang, scenario).flags,
                IsSupersetOf({"--speculative-num-steps 2", "--speculative-num-draft-tokens 3",
                              "--max-loras-per-batch 8", "--kv-cache-dtype fp8_e4m3"}));
    EXPECT_THAT(only(Framework::trtllm, scenario).configuration,
                IsSupersetOf({"  decoding_type: MTP", "  num_nextn_predict_layers: 2", "  max_loras: 8",
                              "  dtype: fp8"}));
    scenario.workload.engine.speculative = graph::Speculation::draft;
    EXPECT_THAT(only(Framework::vllm, scenario).missing, Contains(HasSubstr("draft model")));
}

TEST(FrameworkFlags, EachOfTwoPoolsHasWorkersOfItsOwn) {
    study::Scenario scenario = serving();
    scenario.system.pools.prefill = {.devices = 16, .tp = 4};
    scenario.system.pools.decode = {.devices = 8, .tp = 1, .ep = 8, .attention_dp = 8, .max_sequences = 32};
    for (const Framework framework : {Framework::vllm, Framework::sglang, Framework::trtllm}) {
        const std::vector<FrameworkFlags> all = framework_flags(framework, scenario);
        ASSERT_EQ(all.size(), 2U);
        EXPECT_EQ(all[0].role, "prefill");
        EXPECT_EQ(all[1].role, "decode");
        EXPECT_THAT(all[0].missing, Contains("workers like this one: 4, behind a router"));
        EXPECT_THAT(all[1].missing, Contains("workers like this one: 1, behind a router"));
    }
    const std::vector<FrameworkFlags> sglang = framework_flags(Framework::sglang, scenario);
    EXPECT_THAT(sglang[0].flags,
                IsSupersetOf({"--tp-size 4", "--max-running-requests 64", "--disaggregation-mode prefill"}));
    EXPECT_THAT(sglang[1].flags, IsSupersetOf({"--tp-size 8", "--dp-size 8", "--max-running-requests 256",
                                               "--disaggregation-mode decode"}));
    EXPECT_THAT(framework_flags(Framework::vllm, scenario)[1].flags,
                IsSupersetOf({"--tensor-parallel-size 1", "--data-parallel-size 8", "--max-num-seqs 32"}));
    const FrameworkFlags prefill = framework_flags(Framework::trtllm, scenario)[0];
    EXPECT_THAT(prefill.flags, Contains("--server_role CONTEXT"));
    EXPECT_THAT(prefill.configuration,
                IsSupersetOf({"cache_transceiver_config:", "disable_overlap_scheduler: true"}));
}

TEST(FrameworkFlags, EndsThatCountAsLayersHaveFlagsOfMegatron) {
    study::Scenario scenario = training();
    scenario.workload.layout.embedding_layers = 1;
    scenario.workload.layout.head_layers = 2;
    const FrameworkFlags flags = only(Framework::megatron, scenario);
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
    const std::string pools = std::string{DSE_SOURCE_DIR} + "/sweeps/llama3_70b_pools.yaml";
    const auto workers = test::run_app({"point", pools, "--no-what-if", "--flags", "trtllm"});
    EXPECT_THAT(workers.out, HasSubstr("flags of a decode worker:\n  --tp_size"));
    EXPECT_THAT(workers.out, HasSubstr("config.yaml:\n  kv_cache_config:"));
    EXPECT_TRUE(test::run_app({"point", pools, "--no-what-if", "--json", "--flags", "vllm"})
                    .json()["flags"]["prefill"]
                    .contains("missing"));
}

}  // namespace
}  // namespace dse::app
