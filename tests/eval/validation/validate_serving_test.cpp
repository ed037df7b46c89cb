// Also tests: validation/serving_row.cpp, validation/serving_facts.cpp, validation/named_file.cpp
// Also tests: validation/serving_scenario.cpp
#include "dse/eval/validation/validate_serving.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/validation/serving_scenario.hpp"
#include "support/temporary_folder.hpp"

namespace dse::eval {
namespace {

using ::testing::HasSubstr;

constexpr const char* table =
    "id,model,gpu,framework,framework_version,source_kind,gemm_quant,mode,isl_tokens,osl_tokens,concurrency,"
    "tp_size,attention_dp_size,moe_ep_size,prefill_num_workers,prefill_tp_size,decode_num_workers,decode_tp_"
    "size,"
    "parallelism_suspect,config_key,ttft_s,tpot_s\n"
    "a,l8,h100,vllm,0.12.0,x,fp8,agg,200,20,4,2,,,,,,,,k,0.05,0.01\n"
    "b,l8,h100,vllm,0.12.0,x,fp8,agg,200,20,4,2,,,,,,,,k,20,0.012\n"
    "c,l8,h100,vllm,0.16.0,,fp8,disagg,200,20,4,,,,2,1,1,2,,m,0.05,0.01\n"
    "d,l8,h100,vllm,0.12.0,,fp8,agg,200,20,4,64,,,,,,,tp_times_ep,n,0.05,0.01\n"
    "e,l9,h100,vllm,0.12.0,,fp8,agg,200,20,4,1,,,,,,,,o,0.05,0.01\n";

class ServingTable : public ::testing::Test {
  protected:
    ServingTable() {
        facts_.models = {{"l8", "llama3_8b"}};
        facts_.clusters = {{"h100", "h100_ndr400"}};
        facts_.precisions = {{"fp8", "fp8"}};
        facts_.engines.resize(2);
        facts_.engines[0].match = "vllm";
        facts_.engines[1].match = "vllm 0.12";
        facts_.engines[1].serving.host_time = Seconds{1e-3};
        facts_.clients = {{"x", 0.8, Seconds{}}};
        facts_.requests_a_client = 3;
    }
    [[nodiscard]] std::string file(const std::string& text) const { return folder_.write("rows.csv", text); }

    test::TemporaryFolder folder_;
    config::Library library_{config::Library::standard("")};
    ServingFacts facts_;
};

TEST_F(ServingTable, RowsAreScenarios) {
    const auto rows = read_serving_rows(file(table));
    ASSERT_EQ(rows.size(), 5U);
    const study::Scenario one = serving_scenario(rows[0], facts_, library_);
    EXPECT_EQ(one.system.devices, 2);
    EXPECT_EQ(one.workload.traffic.clients, 4);
    EXPECT_EQ(one.workload.traffic.requests, 12);
    EXPECT_EQ(one.workload.traffic.length_ratio, 0.8);
    EXPECT_EQ(one.workload.engine.host_time, Seconds{1e-3}) << "the release's";
    EXPECT_EQ(one.workload.stack.precision, graph::Precision::fp8);
    const study::Scenario apart = serving_scenario(rows[2], facts_, library_);
    EXPECT_EQ(apart.system.devices, 4);
    EXPECT_EQ(apart.system.pools.prefill.devices, 2);
    EXPECT_EQ(apart.system.pools.decode.tp, 2);
    EXPECT_EQ(apart.workload.engine.host_time, Seconds{0.0}) << "of others";
}

/// A prompt of 200 tokens, one for each of four clients, and 16 more. No more run than a step has tokens.
TEST_F(ServingTable, StepsMayHoldAPromptAndItsClients) {
    LaunchFacts launch;
    launch.source = "x";
    launch.framework = "vllm";
    launch.beyond_prompt = 16;
    facts_.launches = {launch};
    facts_.engines[1].serving.max_sequences = 1024;
    const auto rows = read_serving_rows(file(table));
    const graph::ServingEngine engine = serving_scenario(rows[0], facts_, library_).workload.engine;
    EXPECT_EQ(engine.token_budget, 220) << "of any model";
    EXPECT_EQ(engine.max_sequences, 220);
}

TEST_F(ServingTable, ScriptsSetWhatTheKernelsOfAMachineReach) {
    LaunchFacts launch;
    launch.source = "x";
    launch.framework = "vllm";
    launch.widening_rate = 0.25;
    const auto rows = read_serving_rows(file(table));
    const auto rate = [&](const std::string& gpu) {
        launch.gpu = gpu;
        facts_.launches = {launch};
        return serving_scenario(rows[0], facts_, library_).workload.stack.widening_rate;
    };
    EXPECT_EQ(rate(rows[0].gpu), 0.25);
    EXPECT_NE(rate("other"), 0.25);
}

/// Before two pools, whose front end accepts side by side, the client alone decides how fast requests come.
TEST_F(ServingTable, ClientsSayHowLongTheirRequestsTakeToSendAndTokenize) {
    facts_.engines[1].serving.tokenize_time = Seconds{1e-6};
    facts_.clients.push_back({"", 1.0, Seconds{2e-6}});
    const auto rows = read_serving_rows(file(table));
    const auto time = [&](std::size_t row) {
        return serving_scenario(rows[row], facts_, library_).workload.engine.tokenize_time;
    };
    EXPECT_EQ(time(0), Seconds{1e-6}) << "the engine's";
    facts_.clients[0].tokenize_time = Seconds{3e-6};
    EXPECT_EQ(time(0), Seconds{3e-6});
    EXPECT_EQ(time(2), Seconds{2e-6}) << "two pools, another client";
    for (ClientFacts& client : facts_.clients) client.send_time = Seconds{0.0006};
    const auto accept = [&](std::size_t row) {
        return serving_scenario(rows[row], facts_, library_).workload.engine.accept_time;
    };
    EXPECT_EQ(accept(0), facts_.engines[1].serving.accept_time);
    EXPECT_EQ(accept(2), Seconds{0.0006}) << "two pools";
}

TEST_F(ServingTable, ModelsSayHowManyKernelsEnginesLaunch) {
    facts_.models[0].launch_factor = 2.5;
    const auto rows = read_serving_rows(file(table));
    EXPECT_EQ(serving_scenario(rows[0], facts_, library_).workload.stack.launch_factor, 2.5);
}

/// Draft tokens that an engine does not overlap: the host works before the devices.
TEST_F(ServingTable, ScriptsMayDraftWithoutOverlap) {
    LaunchFacts launch;
    launch.source = "x";
    launch.framework = "vllm";
    launch.draft_tokens = 2;
    facts_.launches = {launch};
    facts_.engines[1].serving.asynchronous = true;
    facts_.engines[1].serving.step_gap = Seconds{0.001};
    const auto rows = read_serving_rows(file(table));
    const auto engine = [&] { return serving_scenario(rows[0], facts_, library_).workload.engine; };
    EXPECT_TRUE(engine().asynchronous);
    EXPECT_EQ(engine().speculative_tokens, 2);
    facts_.launches[0].draft_host_time = Seconds{0.002};
    facts_.launches[0].draft_host_time_sequence = Seconds{0.0001};
    EXPECT_FALSE(engine().asynchronous);
    EXPECT_EQ(engine().step_gap, Seconds{});
    EXPECT_EQ(engine().host_time, Seconds{0.002});
    EXPECT_EQ(engine().host_time_sequence, Seconds{0.0001});
}

TEST_F(ServingTable, ModelsSayWhenTheirFirstTokensComeLater) {
    const auto rows = read_serving_rows(file(table));
    const Seconds way = serving_scenario(rows[0], facts_, library_).workload.engine.request_time;
    facts_.models[0].first_token_time = Seconds{0.07};
    EXPECT_DOUBLE_EQ(serving_scenario(rows[0], facts_, library_).workload.engine.request_time.value(),
                     way.value() + 0.07);
}

TEST_F(ServingTable, ModelsSayHowUnevenlyTheirExpertsAreChosen) {
    const auto rows = read_serving_rows(file(table));
    EXPECT_EQ(serving_scenario(rows[0], facts_, library_).workload.routing.imbalance,
              graph::Imbalance::balanced);
    facts_.models[0].routing_skew = 0.5;
    const graph::Routing routing = serving_scenario(rows[0], facts_, library_).workload.routing;
    EXPECT_EQ(routing.imbalance, graph::Imbalance::zipf);
    EXPECT_EQ(routing.skew, 0.5);
}

/// Operands with a scale for each block have kernels that cast them.
TEST_F(ServingTable, ModelsSayWhetherTheirOperandsHaveBlockScales) {
    facts_.precisions.push_back({"bfloat16", "bf16"});
    const auto casts = [&](const std::string& quantization) {
        auto row = read_serving_rows(file(table))[0];
        row.quantization = quantization;
        return serving_scenario(row, facts_, library_).workload.stack.fused_casts;
    };
    EXPECT_TRUE(casts("fp8"));
    facts_.models[0].block_scales = true;
    EXPECT_FALSE(casts("fp8"));
    EXPECT_TRUE(casts("bfloat16")) << "nothing is cast";
}

void state_everything(LaunchFacts& launch) {
    launch.kv_cache_precision = graph::CachePrecision::fp8;
    launch.fused_experts = true;
    launch.fused_shared_expert = true;
    launch.expert_rate = 0.75;
    launch.prompt_expert_rate = 0.25;
    launch.sequences = 100;
    launch.no_prefix_cache = true;
    launch.state_precision = graph::StatePrecision::bf16;
    launch.collective_launch = Seconds{3e-6};
    launch.two_step_launch = Seconds{4e-6};
    launch.whole_experts = true;
    launch.one_step_limit = Bytes{1e6};
    launch.graph_batch = 8;
    launch.graph_double_from = 128;
    launch.cache_share = 0.8;
    launch.graph_tokens = 2048;
    launch.first_chunk_time = Seconds{70};
    launch.launch_factor = 6.0;
    launch.expert_tile = 128;
    launch.few_expert_rows = 8;
    launch.least_expert_tile = 8;
    launch.expert_tile_margin = 1.3;
    launch.tile_reading = 0.25;
    launch.weight_bits = 4.5;
    launch.prompt_dense_rate = 0.5;
    launch.cast_launch = Seconds{5e-6};
    launch.cast_row_time = Seconds{6e-9};
    launch.cast_rows_half = 7;
    launch.expert_launch = Seconds{8e-6};
    launch.draft_tokens = 3;
    launch.acceptance = 0.75;
    launch.file = "llama3_70b";
}

TEST_F(ServingTable, ScriptsSetWhatTheyState) {
    LaunchFacts launch;
    launch.source = "x";
    launch.framework = "vllm";
    launch.model = "llama3_8b";
    launch.token_budget = 4096;
    facts_.launches.assign(5, launch);
    facts_.launches[1].least_clients = 4;
    facts_.launches[1].hold_steps = 7;
    facts_.launches[2].hold_steps = 8;
    facts_.launches[3].most_tp = 1;
    facts_.launches[3].receive_every = 9;
    facts_.launches[4].most_clients = 3;
    facts_.launches[4].token_budget = 2048;
    state_everything(facts_.launches[0]);
    facts_.launches[2].least_tp = 3;
    const auto rows = read_serving_rows(file(table));
    const graph::WorkloadSpec workload = serving_scenario(rows[0], facts_, library_).workload;
    const graph::SoftwareStack& stack = workload.stack;
    const graph::ServingEngine& engine = workload.engine;
    EXPECT_EQ(workload.serving.kv_cache_precision, graph::CachePrecision::fp8);
    EXPECT_EQ(workload.serving.state_precision, graph::StatePrecision::bf16);
    EXPECT_FALSE(engine.prefix_cache);
    EXPECT_TRUE(stack.fused_experts);
    EXPECT_TRUE(stack.fused_shared_expert);
    EXPECT_EQ(stack.expert_rate, 0.75);
    EXPECT_EQ(stack.expert_tile, 128);
    EXPECT_EQ(stack.few_expert_rows, 8);
    EXPECT_EQ(stack.least_expert_tile, 8);
    EXPECT_EQ(stack.expert_tile_margin, 1.3);
    EXPECT_EQ(stack.tile_reading, 0.25);
    EXPECT_EQ(stack.weight_bits, 4.5);
    EXPECT_EQ(stack.prompt_expert_rate, 0.25);
    EXPECT_EQ(engine.token_budget, 4096);
    EXPECT_EQ(engine.hold_steps, 7);
    EXPECT_EQ(engine.receive_every, 1) << "of tp 1";
    EXPECT_EQ(engine.max_sequences, 100);
    EXPECT_EQ(engine.collective_launch, Seconds{3e-6});
    EXPECT_EQ(engine.two_step_launch, Seconds{4e-6});
    EXPECT_EQ(engine.one_step_limit, Bytes{1e6});
    EXPECT_EQ(engine.graph_batch, 8);
    EXPECT_EQ(engine.graph_double_from, 128);
    EXPECT_EQ(engine.cache_share, 0.8);
    EXPECT_EQ(stack.allocator_overhead, 0.0) << "the rest is the reserve";
    EXPECT_EQ(engine.graph_tokens, 2048);
    EXPECT_EQ(engine.first_chunk_time, Seconds{70});
    EXPECT_EQ(stack.launch_factor, 6.0);
    EXPECT_EQ(workload.layout.ep, 2);
    EXPECT_EQ(workload.layout.etp, 1);
    EXPECT_EQ(stack.prompt_dense_rate, 0.5);
    EXPECT_EQ(engine.cast_launch, Seconds{5e-6});
    EXPECT_EQ(engine.cast_row_time, Seconds{6e-9});
    EXPECT_EQ(engine.cast_rows_half, 7);
    EXPECT_EQ(engine.expert_launch, Seconds{8e-6});
    EXPECT_EQ(engine.speculative, graph::Speculation::mtp);
    EXPECT_EQ(engine.speculative_tokens, 3);
    EXPECT_EQ(engine.acceptance, 0.75);
    EXPECT_EQ(engine.acceptance_decay, 0.95) << "the default";
    EXPECT_EQ(workload.model, "llama3_70b")
        << "with heads; later launches are still those of the table's model";
    EXPECT_EQ(serving_scenario(rows[2], facts_, library_).workload.engine.token_budget, 8192)
        << "two pools have scripts of their own";
}

/// The settings of one decode worker of two devices for up to four clients.
TEST_F(ServingTable, RecipesSetLimitsOfPools) {
    PoolLaunchFacts launch;
    launch.framework = "vllm";
    launch.sequences = 3;
    launch.token_budget = 640;
    launch.expert_rate = 0.75;
    launch.decode = {{1, 2, 9, 17}, {1, 2, 4, 5}, {1, 2, 3, 6}, {2, 2, 4, 7}, {1, 4, 4, 8}};
    facts_.pool_launches.assign(3, launch);
    facts_.pool_launches[1].attention_dp = 8;
    facts_.pool_launches[1].token_budget = 1;
    facts_.pool_launches[2].prefill_workers = 3;
    facts_.pool_launches[2].sequences = 1;
    for (EngineFacts& engine : facts_.engines) engine.prefill_ranks = hardware::PrefillRanks::random;
    const auto rows = read_serving_rows(file(table));
    const study::Scenario scenario = serving_scenario(rows[2], facts_, library_);
    const hardware::PoolsSpec& pools = scenario.system.pools;
    EXPECT_EQ(scenario.workload.stack.expert_rate, 0.75);
    EXPECT_EQ(pools.prefill.max_sequences, 3);
    EXPECT_EQ(pools.prefill.token_budget, 640);
    EXPECT_EQ(pools.decode.max_sequences, 5);
    EXPECT_EQ(pools.decode.token_budget, 0);
    EXPECT_EQ(pools.prefill_ranks, hardware::PrefillRanks::random);
}

TEST_F(ServingTable, IsKnownByItsColumns) {
    EXPECT_TRUE(is_serving_table(file(table)));
    EXPECT_FALSE(is_serving_table(file("id,source,chip,metric,value\n")));
    EXPECT_THROW(read_serving_rows(file("id,ttft_s,tpot_s\n")), InputError);
}

TEST_F(ServingTable, RefusesRepeatedIdsAndNumbersThatAreNotFinite) {
    const std::string more =
        "a,l8,h100,vllm,0.12.0,x,fp8,agg,200,20,4,2,,,,,,,,k,nan,0.01\n"
        "f,l8,h100,vllm,0.12.0,x,fp8,agg,200,20,inf,2,,,,,,,,k,0.05,0.01\n";
    try {
        static_cast<void>(read_serving_rows(file(table + more)));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr("row 6 (a): its id is also that of row 1"),
                                                   HasSubstr("row 6 (a): ttft_s is 'nan'"),
                                                   HasSubstr("row 7 (f): concurrency is 'inf'")));
    }
}

/// A configuration counts once, less where its repeats differ: 12 over 10 ms is 10 % to either side, twice
/// the noise of 5 %.
TEST_F(ServingTable, PredictsWhatItKnows) {
    const auto comparisons = validate_serving(read_serving_rows(file(table)), facts_, library_);
    ASSERT_EQ(comparisons.size(), 5U);
    EXPECT_EQ(comparisons[0].why, "");
    EXPECT_EQ(comparisons[0].tpot, comparisons[1].tpot);
    EXPECT_DOUBLE_EQ(comparisons[0].weight, 0.25);
    EXPECT_FALSE(comparisons[0].overloaded);
    EXPECT_TRUE(comparisons[1].overloaded);
    EXPECT_GT(comparisons[2].ttft, 0.0);
    EXPECT_THAT(comparisons[3].why, HasSubstr("tp_times_ep"));
    EXPECT_THAT(comparisons[4].why, HasSubstr("no model is described for 'l9'"));

    const auto summaries = summarize(comparisons);
    EXPECT_EQ(summaries.back().name, "all");
    EXPECT_EQ(summaries.back().tpot.rows, 3U);
    EXPECT_EQ(summaries.back().ttft.rows, 2U);
}

/// The file that ships, and requests whose time is what it should be: errors of 0.
TEST_F(ServingTable, ErrorsAreShares) {
    config::Diagnostics diagnostics;
    const config::Node node = config::load_yaml(
        *library_.find("", library_.roots().back() + "/workloads/measured/serving.yaml"), diagnostics);
    const ServingFacts shipped = read_serving_facts(node, diagnostics);
    diagnostics.throw_if_any();
    ASSERT_NE(find_engine(shipped, "vllm", "0.12.0"), nullptr);
    EXPECT_FALSE(find_engine(shipped, "vllm", "0.12.0")->serving.asynchronous);
    EXPECT_TRUE(find_engine(shipped, "vllm", "0.18.0")->serving.asynchronous);
    EXPECT_EQ(find_engine(shipped, "other", "1"), nullptr);

    ServingComparison comparison;
    comparison.row.output = 11;
    comparison.row.ttft = 1.0;
    comparison.row.tpot = 0.1;
    comparison.ttft = 1.0;
    comparison.tpot = 0.2;
    EXPECT_DOUBLE_EQ(comparison.tpot_error(), 1.0);
    EXPECT_DOUBLE_EQ(comparison.ttft_error(), 0.0);
    EXPECT_DOUBLE_EQ(comparison.request_error(), 0.5);
}

/// All take 1.5 times as long as predicted, within a fifth. One takes 1.7, one as long as predicted.
TEST(ServingSummary, CountsBarsThatDoNotHoldThePrediction) {
    std::vector<ServingComparison> rows(2);
    for (ServingComparison& each : rows) {
        each.row.output = 11;
        each.ttft = 1.0;
        each.tpot = 0.1;
        each.ttft_bars = each.tpot_bars = {std::log(1.5), std::log(1.2)};
    }
    rows[0].row.ttft = 1.7;
    rows[0].row.tpot = 0.17;
    rows[1].row.ttft = 1.0;
    rows[1].row.tpot = 0.1;
    const ServingSummary all = summarize(rows).back();
    EXPECT_DOUBLE_EQ(all.tpot.inside, 0.5);
    EXPECT_DOUBLE_EQ(all.ttft.inside, 0.5);
    EXPECT_DOUBLE_EQ(all.tpot.width, std::log(1.2));
}

}  // namespace
}  // namespace dse::eval
