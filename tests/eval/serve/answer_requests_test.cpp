// Also tests: serve/cache_room.cpp, serve/server_state.cpp, serve/service_metrics.cpp, serve/trace_shelf.cpp
#include "eval/serve/answer_requests.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/serve/served_scenario.hpp"
#include "eval/serve/trace_shelf.hpp"
#include "eval/sweeps.hpp"
#include "support/soft_equal.hpp"
#include "support/temporary_folder.hpp"

namespace dse::eval {
namespace {

using ::testing::HasSubstr;

class Served : public ::testing::Test {
  protected:
    metrics::Metrics metrics() {
        Simulator simulator{library_frontend(), folder_.path()};
        return simulator.run(scenario_, {}, WhenFull::refuse).metrics;
    }
    std::string error() {
        try {
            metrics();
        } catch (const ModelError& error) {
            return error.what();
        }
        return "accepted";
    }

    test::TemporaryFolder folder_;
    study::Scenario scenario_ = served_scenario();
};

TEST_F(Served, RequestsFlowThrough) {
    const metrics::Metrics m = metrics();
    EXPECT_NEAR(m.requests_per_second, 8.0, 1.5);
    EXPECT_SOFT_EQ(m.output_tokens_per_second, 50 * m.requests_per_second);
    EXPECT_SOFT_EQ(m.output_tokens_per_second_per_device, m.output_tokens_per_second / 4);
    EXPECT_LE(m.ttft_p50, m.ttft_p90);
    EXPECT_LE(m.ttft_p90, m.ttft_p99);
    EXPECT_LE(m.ttft_p99, m.e2e_p99);
    // Little's law, over both replicas.
    EXPECT_NEAR((m.running_mean + m.queue_mean) * m.serving_time, 200 * m.e2e_mean, 1e-6 * 200 * m.e2e_mean);
    EXPECT_EQ(m.preemptions, 0.0);
    EXPECT_EQ(m.requests_refused, 0.0);
    EXPECT_TRUE(std::isnan(m.goodput)) << "no level is stated";
    EXPECT_TRUE(std::isnan(m.max_request_rate));
    EXPECT_GT(m.tpot_mean, 0.9 * m.iteration_time);
}

/// Eight places of 44 MB (step_table_test) beside the parameters. More adapters at once take longer; fewer
/// than requests name make them wait.
TEST_F(Served, AdaptersTakeTimeAndMemory) {
    const metrics::Metrics none = metrics();
    scenario_.workload.traffic.adapters = 8;
    scenario_.workload.engine.max_loras = 8;
    const metrics::Metrics all = metrics();
    EXPECT_NEAR(all.memory_parameters - none.memory_parameters, 8 * 43'008.0 * 16 * 2 * 32, 1.0);
    EXPECT_NEAR(all.host_memory, 8 * 43'008.0 * 16 * 2 * 32, 1.0) << "where all of them lie";
    EXPECT_GT(all.tpot_mean, none.tpot_mean);
    scenario_.workload.engine.max_loras = 1;
    const metrics::Metrics one = metrics();
    EXPECT_GT(one.queue_mean, all.queue_mean + 0.1);
    EXPECT_GT(one.ttft_mean, all.ttft_mean);
    scenario_.system.pools.prefill.devices = scenario_.system.pools.decode.devices = 2;
    EXPECT_THAT(error(), HasSubstr("traffic.adapters: those of separate pools are not modelled"));
}

/// One client: nobody waits, and nobody else slows it down.
TEST_F(Served, OneClientHasTheServerForItself) {
    scenario_.workload.traffic.rate = {};
    scenario_.workload.traffic.clients = 1;
    scenario_.workload.traffic.prompt = 512;
    const metrics::Metrics m = metrics();
    study::Scenario alone = scenario_;
    alone.workload.mode = graph::Mode::prefill;
    alone.workload.global_batch = 2;
    alone.workload.sequence = 512;
    Simulator simulator{library_frontend()};
    EXPECT_NEAR(m.ttft_mean, simulator.run(alone, {}, WhenFull::refuse).metrics.iteration_time, 1e-9);
    EXPECT_SOFT_EQ(m.ttft_mean, m.ttft_p99);
    EXPECT_EQ(m.queue_mean, 0.0);
    EXPECT_SOFT_EQ(m.running_mean, 1.0);
    EXPECT_NEAR(m.e2e_mean, m.ttft_mean + 49 * m.tpot_mean, 1e-9);
}

/// 2^61 ticks a token: of the 512 of a prompt 2^70, which wraps to 0.
TEST_F(Served, HostsThatTakeLongerThanARunAreRefused) {
    scenario_.workload.engine.tokenize_time = Seconds{0x1p21};
    EXPECT_THROW(metrics(), ModelError);
}

/// A replica of two devices spends the time of its workers before each step; one of a single device does not.
TEST_F(Served, WorkersAreToldWhatToDo) {
    graph::ServingEngine& engine = scenario_.workload.engine;
    const double untold = metrics().tpot_mean;
    engine.worker_time = Seconds{1e-3};
    const double told = metrics().tpot_mean;
    EXPECT_GT(told, untold + 0.9e-3);
    engine.host_time = Seconds{1e-3};
    engine.worker_time = Seconds{};
    EXPECT_SOFT_EQ(told, metrics().tpot_mean);
    engine.host_time = Seconds{};
    scenario_.workload.layout.tp = 1;
    const double alone = metrics().tpot_mean;
    engine.worker_time = Seconds{1e-3};
    EXPECT_SOFT_EQ(metrics().tpot_mean, alone);
}

TEST_F(Served, LevelsAreHeldAgainstRequests) {
    const metrics::Metrics before = metrics();
    scenario_.workload.levels.most[0][4] = Seconds{before.ttft_p99 / 2.0};
    const metrics::Metrics m = metrics();
    EXPECT_SOFT_EQ(m.slo_worst, 2.0);
    EXPECT_LT(m.slo_attainment, 0.99);
    EXPECT_SOFT_EQ(m.goodput, m.slo_attainment * 200 / m.serving_time);
    scenario_.workload.levels.most[0][4] = Seconds{before.ttft_p99 * 4.0};
    scenario_.workload.levels.rate_within = 0.1;
    const metrics::Metrics held = metrics();
    EXPECT_EQ(held.slo_attainment, 1.0);
    EXPECT_GT(held.max_request_rate, 8.0);
    EXPECT_LE(held.max_request_rate_high, 1.1 * held.max_request_rate);
    // 50 tokens an answer. The devices cost the same a second at any rate.
    EXPECT_NEAR(held.usd_per_mtoken_at_max_rate * 50 * held.max_request_rate,
                held.usd_per_mtoken * held.output_tokens_per_second,
                1e-9 * held.output_tokens_per_second * held.usd_per_mtoken);
    scenario_.workload.levels.most[0][4] = Seconds{1e-9};
    EXPECT_EQ(metrics().max_request_rate, 0.0);
    EXPECT_TRUE(std::isnan(metrics().usd_per_mtoken_at_max_rate)) << "no rate keeps the levels";
}

/// Two hundred requests within a second would seem to keep a level of 2 s at any rate.
TEST_F(Served, FewRequestsPromiseNoHigherRate) {
    scenario_.workload.levels.most[0][4] = Seconds{2.0};
    scenario_.workload.levels.rate_within = 0.05;
    const metrics::Metrics few = metrics();
    EXPECT_LE(few.max_request_rate, 200 / (10 * 2.0) * 1.2) << "as drawn, 200 do not take just 200 intervals";
    EXPECT_TRUE(std::isnan(few.max_request_rate_high));
    scenario_.workload.traffic.requests = 20'000;
    const metrics::Metrics many = metrics();
    EXPECT_GT(many.max_request_rate_high, few.max_request_rate);
    EXPECT_GT(few.usd_per_mtoken_at_max_rate, 0.9 * many.usd_per_mtoken_at_max_rate);
}

/// With a thousand requests a second, the second token of each comes with the next prompt, after twice the
/// time that clients wait.
TEST_F(Served, TheHighestRateMayLieBelowOneAtWhichAllGiveUp) {
    graph::Traffic& traffic = scenario_.workload.traffic;
    traffic.arrivals = graph::Arrivals::fixed;
    traffic.rate = graph::Frequency{0.1};
    traffic.prompt = 8000;
    traffic.output = 2;
    traffic.timeout = Seconds{1.05 * metrics().e2e_mean};
    traffic.rate = graph::Frequency{1000.0};
    EXPECT_THAT(error(), HasSubstr("or the load too high (slo.rate_within finds a rate that is not)"));
    scenario_.workload.levels.most[0][4] = Seconds{10.0};
    scenario_.workload.levels.rate_within = 0.1;
    const metrics::Metrics m = metrics();
    EXPECT_GT(m.max_request_rate, 0.0);
    EXPECT_LT(m.max_request_rate_high, 1000.0);
    EXPECT_GT(m.usd_per_mtoken_at_max_rate, 0.0);
    EXPECT_EQ(m.requests_lost, 200.0) << "at the stated rate";
    EXPECT_EQ(m.slo_attainment, 0.0);
    EXPECT_TRUE(std::isnan(m.ttft_mean));
    EXPECT_TRUE(std::isnan(m.usd_per_mtoken));
    scenario_.workload.levels.most[0][4] = Seconds{1e-6};
    EXPECT_THAT(error(), HasSubstr("before any of 200 requests was answered, and no lower rate meets"));
}

/// The evaluation's graph and durations are those of the mean step, not of the last step that a search took.
TEST_F(Served, ASearchOfTheRateLeavesTheMeanStep) {
    Simulator simulator{library_frontend()};
    const std::vector<sim::NodeTime> alone =
        simulator.run(scenario_, {}, WhenFull::refuse).durations->of_work;
    scenario_.workload.levels.most[1][4] = Seconds{0.02};
    scenario_.workload.levels.rate_within = 0.1;
    const Evaluation& searched = simulator.run(scenario_, {}, WhenFull::refuse);
    EXPECT_GT(searched.metrics.max_request_rate, 0.0);
    EXPECT_TRUE(searched.durations->of_work == alone);
}

/// Replicas of two: 8 requests/s for some 25 s.
TEST_F(Served, TheCourseOfTheRunIsKeptWithParts) {
    Simulator simulator{library_frontend()};
    const Evaluation& evaluation = simulator.run(scenario_, {}, WhenFull::refuse, sim::Asked::For::parts);
    ASSERT_FALSE(evaluation.series.empty());
    EXPECT_EQ(evaluation.requests.size(), 200U);
    std::int64_t arrived = 0;
    std::int64_t answered = 0;
    double running = 0.0;
    for (const auto& interval : evaluation.series) {
        arrived += interval.arrived;
        answered += interval.answered;
        running += interval.running * interval.duration;
    }
    EXPECT_EQ(arrived, 200);
    EXPECT_EQ(answered, 200);
    const metrics::Metrics& m = evaluation.metrics;
    EXPECT_NEAR(running, m.running_mean * m.serving_time, 1e-9 * running);
    EXPECT_TRUE(simulator.run(scenario_, {}, WhenFull::refuse, sim::Asked::For::time).series.empty());
}

/// An engine's own collectives take less than those of the cluster's library.
TEST_F(Served, TheEngineHasItsOwnCollectives) {
    const metrics::Metrics own = [this] {
        scenario_.workload.engine.collective_launch = Seconds{1e-6};
        return metrics();
    }();
    scenario_.workload.engine.collective_launch = {};
    EXPECT_LT(own.tpot_p50, metrics().tpot_p50);
    hardware::CollectiveSpec& collective = scenario_.system.cluster.network.collective;
    collective.library_launch = collective.launch;
    collective.launch = Seconds{1e-6};
    EXPECT_EQ(metrics().tpot_p50, own.tpot_p50);
    collective.barrier *= 10.0;
    EXPECT_GT(metrics().tpot_p50, own.tpot_p50) << "its members wait for one another";
}

/// Casts that handle rows one by one: with many rows each takes the stated time, with `cast_rows_half` rows
/// half of it; only dense products in eight bits have them.
TEST_F(Served, CastsMayTakeTimeByRow) {
    const auto tpot = [&](double launch, double row, double half) {
        scenario_.workload.engine.cast_launch = Seconds{launch};
        scenario_.workload.engine.cast_row_time = Seconds{row};
        scenario_.workload.engine.cast_rows_half = half;
        return metrics().tpot_p50;
    };
    const double without = tpot(0.0, 0.0, 0.0);
    EXPECT_EQ(tpot(1e-5, 1e-6, 0.0), without) << "in 16 bits";
    scenario_.workload.stack.precision = graph::Precision::fp8;
    const double narrow = tpot(0.0, 0.0, 0.0);
    // Four products in each of 32 layers; the head stays in 16 bits.
    EXPECT_NEAR(tpot(1e-5, 0.0, 0.0) - narrow, 4 * 32 * 1e-5, 0.1e-3);
    EXPECT_GT(tpot(0.0, 1e-6, 0.0), tpot(0.0, 1e-6, 100.0));
    EXPECT_GT(tpot(0.0, 1e-6, 100.0), narrow);
    scenario_.workload.traffic.requests = 1;
    const double alone = tpot(0.0, 0.0, 0.0);
    EXPECT_NEAR(tpot(0.0, 1e-6, 0.0) - alone, 4 * 32 * 1e-6, 1e-9) << "a row in each step";
    EXPECT_NEAR(tpot(0.0, 1e-6, 3.0) - alone, 4 * 32 * 1e-6 / 4.0, 1e-9);
}

TEST_F(Served, TracesLieBesideTheSweep) {
    folder_.write("requests.csv", "arrival_s,input_tokens,output_tokens\n0,100,10\n1,200,20\n");
    scenario_.workload.traffic = {};
    scenario_.workload.traffic.trace = "requests.csv";
    const metrics::Metrics m = metrics();
    EXPECT_SOFT_EQ(m.output_tokens_per_second * m.serving_time, 30.0);
    scenario_.workload.traffic.speed = 2.0;
    EXPECT_NEAR(m.serving_time - metrics().serving_time, 0.5, 1e-6);
    scenario_.workload.traffic.clients = 2;
    EXPECT_LT(metrics().serving_time, 0.5) << "whenever the trace sends";
    scenario_.workload.traffic.clients = 0;
    scenario_.workload.traffic.rate = graph::Frequency{1.0};
    EXPECT_THAT(error(), HasSubstr("both a trace and a rate"));
    scenario_.workload.traffic.rate = {};
    scenario_.workload.traffic.trace = "none.csv";
    EXPECT_THAT(error(), HasSubstr("traffic.trace: cannot read"));
}

TEST_F(Served, TheSweepsSeedDrawsTheRequests) {
    scenario_.sweep_seed = 1;
    const metrics::Metrics first = metrics();
    scenario_.seed = 7;
    EXPECT_EQ(test::bits_of(metrics()), test::bits_of(first)) << "all points have the same";
    scenario_.sweep_seed = 2;
    const metrics::Metrics second = metrics();
    EXPECT_NE(second.serving_time, first.serving_time);
    scenario_.workload.traffic.seed = 1;
    EXPECT_EQ(test::bits_of(metrics()), test::bits_of(first)) << "unless the traffic states its own";
}

/// Half of the memory that is left after the parameters holds half of the pages.
TEST_F(Served, TheCacheHasWhatIsLeftOfTheMemory) {
    const metrics::Metrics m = metrics();
    EXPECT_LE(m.memory_peak, 0.9 * m.memory_capacity);
    EXPECT_GT(m.memory_peak, 0.89 * m.memory_capacity);
    const double page =
        16 * 2 * 32 * 8 * 128 * 2 / 2;  // tokens, keys and values, layers, heads, width, B, tp
    EXPECT_NEAR(std::fmod(m.memory_kv_cache, page), 0.0, 1.0);
    scenario_.workload.engine.cache_pages = 100;
    const metrics::Metrics small = metrics();
    EXPECT_EQ(small.memory_kv_cache, 100 * page);
    EXPECT_SOFT_EQ(m.memory_peak - small.memory_peak, m.memory_kv_cache - small.memory_kv_cache);
    scenario_.workload.engine.cache_pages = 1'000'000'000;
    EXPECT_THAT(error(), HasSubstr("not for 1000000000"));
}

/// Half of what the whole device has left beside parameters and steps, to a page.
TEST_F(Served, TheCacheCanHaveAShareOfWhatIsFree) {
    scenario_.workload.engine.cache_share = 1.0;
    const metrics::Metrics whole = metrics();
    const double page = 16 * 2 * 32 * 8 * 128 * 2 / 2;  // as above
    EXPECT_NEAR(whole.memory_peak, whole.memory_capacity, page);
    scenario_.workload.engine.cache_share = 0.5;
    EXPECT_NEAR(metrics().memory_kv_cache, 0.5 * whole.memory_kv_cache, page);
}

/// Whatever allocators add to all of it stays within the device, under either kind of share.
TEST_F(Served, TheCacheLeavesRoomForAllocators) {
    scenario_.workload.stack.allocator_overhead = 0.25;
    const double page = 16 * 2 * 32 * 8 * 128 * 2 / 2;  // as above
    for (const double share : {0.0, 0.5, 0.99, 1.0}) {
        scenario_.workload.engine.cache_share = share;
        scenario_.workload.engine.memory_share = 1.0;
        EXPECT_LE(metrics().memory_peak, metrics().memory_capacity) << share;
    }
    const metrics::Metrics whole = metrics();
    EXPECT_NEAR(whole.memory_peak, whole.memory_capacity, 1.25 * page);
    scenario_.workload.engine.cache_share = 0.5;
    EXPECT_NEAR(metrics().memory_kv_cache, 0.5 * whole.memory_kv_cache, page);
}

TEST_F(Served, WhatDoesNotFitSaysSo) {
    scenario_.workload.model = "llama3_70b";
    scenario_.workload.layout.tp = 1;
    Simulator simulator{library_frontend()};
    EXPECT_TRUE(simulator.run(scenario_, {}, WhenFull::refuse).shortage);
    scenario_ = served_scenario();
    scenario_.workload.engine.cache_pages = 3;
    EXPECT_THAT(error(), HasSubstr("none of 200 requests fits a cache of 3 pages alone"));
}

/// Four messages of 500 tokens and three answers of 50: a prompt of 2,150 tokens has 134 whole pages, and a
/// cache of 600 forgets most of what comes back after 5 s.
TEST_F(Served, ConversationsFindWhatTheyHaveSaid) {
    scenario_.workload.traffic.turns = 4;
    scenario_.workload.traffic.turn_gap = Seconds{5.0};
    scenario_.workload.engine.prefix_cache = true;
    const metrics::Metrics roomy = metrics();
    EXPECT_GT(roomy.cache_hit_rate, 0.25) << "turns alternate between two replicas";
    EXPECT_EQ(roomy.host_hit_rate, 0.0);
    scenario_.workload.engine.cache_pages = 600;
    const metrics::Metrics narrow = metrics();
    EXPECT_LT(narrow.cache_hit_rate, 0.5 * roomy.cache_hit_rate);
    EXPECT_EQ(narrow.host_memory, 0.0);
    scenario_.workload.engine.host_cache = Bytes{20e9};
    const metrics::Metrics backed = metrics();
    EXPECT_GT(backed.host_hit_rate, 0.2);
    EXPECT_NEAR(backed.cache_hit_rate, roomy.cache_hit_rate, 0.02) << "found in either memory";
    EXPECT_LE(backed.host_hit_rate, backed.cache_hit_rate);
    EXPECT_LT(backed.ttft_mean, narrow.ttft_mean);
    EXPECT_EQ(backed.host_memory, 20e9) << "kept whether it is full or not";
}

/// The second prompt finds 1,024 tokens of 1,100, the first none: 2 · 1,100 were asked for.
TEST_F(Served, EqualBeginningsAreReadOnce) {
    folder_.write("requests.jsonl",
                  R"({"timestamp": 0, "input_length": 1100, "output_length": 4, "hash_ids": [1, 2, 3]})"
                  "\n"
                  R"({"timestamp": 5000, "input_length": 1100, "output_length": 4, "hash_ids": [1, 2, 4]})");
    scenario_.workload.traffic = {};
    scenario_.workload.traffic.trace = "requests.jsonl";
    scenario_.workload.layout.tp = 4;
    const metrics::Metrics without = metrics();
    EXPECT_EQ(without.cache_hit_rate, 0.0);
    scenario_.workload.engine.prefix_cache = true;
    const metrics::Metrics with = metrics();
    EXPECT_SOFT_EQ(with.cache_hit_rate, 1024.0 / 2200.0);
    EXPECT_LT(with.ttft_p50, without.ttft_p50);
}

/// Few pages: requests are preempted, and all are answered.
TEST_F(Served, PreemptsWherePagesAreFew) {
    scenario_.workload.traffic.rate = graph::Frequency{400.0};
    scenario_.workload.engine.cache_pages = 100;
    const metrics::Metrics m = metrics();
    EXPECT_GT(m.preemptions, 0.0);
    EXPECT_GT(m.cache_use_max, 0.95);
    EXPECT_SOFT_EQ(m.requests_per_second * m.serving_time, 200.0);
}

/// Rows do not depend on what was evaluated before.
TEST(ServingSweep, HasTrafficAndEngineOnAxes) {
    const test::SweepFiles files;
    const study::Sweep sweep = files.load(
        "name: t\nworkload: {model: llama3_8b, mode: serving, stack: vllm_2025,\n"
        "  traffic: {prompt: 200, output: 20, requests: 50}, slo: {ttft_p99: 1 s}}\n"
        "system: {cluster: h100_ndr400, devices: 2}\n"
        "axes: {rate: [1 1/s, 100 1/s], token_budget: [512, 2048], max_sequences: [4, 64], tp: [1, 2]}\n"
        "derive: {dp: devices / tp}\nobjectives: {goodput: maximize}\n");
    const std::vector<space::Point> points = test::points_of(sweep);
    ASSERT_EQ(points.size(), 16U);
    Evaluator evaluator{sweep};
    std::vector<space::Record> records(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) evaluator.evaluate(points[i], records[i]);
    for (std::size_t i = points.size(); i-- > 0;) {
        space::Record again;
        evaluator.evaluate(points[i], again);
        EXPECT_EQ(again.status, space::Status::ok) << again.reason;
        EXPECT_EQ(test::bits_of(again.metrics), test::bits_of(records[i].metrics)) << i;
    }
    EXPECT_NE(records.front().metrics.ttft_p99, records.back().metrics.ttft_p99);
}

/// Prompts are read on two devices and answered on two others.
TEST_F(Served, PoolsShareTheWork) {
    scenario_.system.pools.prefill = {2, 2, 1, 1, 1};
    scenario_.system.pools.decode = {2, 2, 1, 1, 1};
    const metrics::Metrics apart = metrics();
    EXPECT_NEAR(apart.requests_per_second, 8.0, 1.5);
    EXPECT_GT(apart.prefill_utilization, 0.0);
    EXPECT_LT(apart.prefill_utilization, 1.0);
    EXPECT_GT(apart.decode_utilization, apart.prefill_utilization) << "most steps make tokens";
    EXPECT_EQ(apart.decode_cache_use_mean, apart.cache_use_mean);
    EXPECT_EQ(apart.decode_cache_use_max, apart.cache_use_max);
    EXPECT_LE(apart.prefill_queue_mean + apart.decode_queue_mean, apart.queue_mean * (1.0 + 1e-12));
    EXPECT_EQ(std::max(apart.prefill_queue_max, apart.decode_queue_max), apart.queue_max);
    scenario_.system.pools = {};
    const metrics::Metrics together = metrics();
    EXPECT_TRUE(std::isnan(together.prefill_utilization)) << "one pool";
    EXPECT_LT(apart.itl_p99, together.itl_p99) << "nobody's prompt comes between two tokens";
    scenario_.system.pools.prefill = {1, 2, 1, 1, 1};
    scenario_.system.pools.decode = {3, 2, 1, 1, 1};
    EXPECT_THAT(error(), HasSubstr("prefill.devices"));
}

/// Prompts of a step each come to four attention ranks of a prefill worker: where ranks are drawn, some wait
/// behind others of their rank while another rank is idle. Another seed draws other ranks.
TEST_F(Served, PoolsDrawRanks) {
    hardware::PoolsSpec& pools = scenario_.system.pools;
    pools.prefill = {4, 1, 1, 1, 4};
    pools.decode = {4, 4, 1, 1, 1};
    scenario_.system.devices = 8;
    graph::Traffic& traffic = scenario_.workload.traffic;
    traffic.rate = graph::Frequency{0.0};
    traffic.clients = 16;
    traffic.requests = 64;
    scenario_.workload.engine.token_budget = traffic.prompt;
    const double in_turns = metrics().ttft_mean;
    traffic.seed = 2;
    EXPECT_EQ(metrics().ttft_mean, in_turns) << "all requests are equal";
    pools.prefill_ranks = hardware::PrefillRanks::random;
    const double drawn = metrics().ttft_mean;
    EXPECT_GT(drawn, 1.05 * in_turns);
    traffic.seed = 3;
    EXPECT_NE(metrics().ttft_mean, drawn);
}

/// With one place in the decode pool, answers follow one another.
TEST_F(Served, PoolsHaveLimitsOfTheirOwn) {
    scenario_.system.pools.prefill.devices = scenario_.system.pools.decode.devices = 2;
    scenario_.system.pools.prefill.tp = scenario_.system.pools.decode.tp = 2;
    scenario_.system.pools.first_token = hardware::FirstToken::decode;  // the wait is no part of tpot
    const double many = metrics().requests_per_second;
    scenario_.system.pools.decode.max_sequences = 1;
    const metrics::Metrics one = metrics();
    EXPECT_LT(one.requests_per_second, 0.9 * many);
    EXPECT_LE(one.requests_per_second * one.tpot_mean * 49.0, 1.0 + 1e-9);
    scenario_.system.pools.prefill.token_budget = 16;
    EXPECT_GT(metrics().serving_steps, one.serving_steps) << "prompts take several steps";
}

/// Kernels that a graph starts take less: only steps that decode, and only with graphs.
TEST_F(Served, ReplayedStepsAreFaster) {
    hardware::DeviceSpec& device = scenario_.system.cluster.device;
    ASSERT_GT(device.graph_kernel_latency.value(), 0.0);
    const metrics::Metrics replayed = metrics();
    device.graph_kernel_latency = Seconds{};
    EXPECT_GT(metrics().tpot_p50, replayed.tpot_p50);
    scenario_.workload.stack.cuda_graphs = false;
    const double without = metrics().tpot_p50;
    device.graph_kernel_latency = Seconds{1e-6};
    EXPECT_EQ(metrics().tpot_p50, without);
}

/// Deep products of few sequences are split in steps of replayed graphs alone.
TEST_F(Served, ReplayedProductsAreSplit) {
    scenario_.workload.stack.precision = graph::Precision::bf16;
    scenario_.workload.traffic.rate = graph::Frequency{1.0};
    hardware::DeviceSpec& device = scenario_.system.cluster.device;
    ASSERT_GT(device.graph_split_depth, 0.0);
    const double split = metrics().tpot_p50;
    device.graph_split_depth = 0.0;
    EXPECT_GT(metrics().tpot_p50, split);
    scenario_.workload.stack.cuda_graphs = false;
    const double without = metrics().tpot_p50;
    device.graph_split_depth = 1000.0;
    EXPECT_EQ(metrics().tpot_p50, without);
}

/// What replayed products read, and the time that attention to a cache takes at least, in them alone.
TEST_F(Served, ReplayedKernelsHaveConstantsOfTheirOwn) {
    scenario_.workload.traffic.rate = graph::Frequency{1.0};
    hardware::DeviceSpec& device = scenario_.system.cluster.device;
    device.graph_memory_efficiency = 1.0;
    device.attention.graph_cache_latency = Seconds{1e-9};
    const double usual = metrics().tpot_p50;
    device.graph_memory_efficiency = 0.5;
    EXPECT_GT(metrics().tpot_p50, 1.2 * usual);
    device.graph_memory_efficiency = 1.0;
    device.attention.graph_cache_latency = Seconds{10e-6};
    EXPECT_GT(metrics().tpot_p50, usual + 32 * 9e-6) << "in each layer";
    scenario_.workload.stack.cuda_graphs = false;
    const double without = metrics().tpot_p50;
    device.graph_memory_efficiency = 0.5;
    EXPECT_EQ(metrics().tpot_p50, without);
}

/// 1 + 0.8 + 0.8 · 0.4 tokens a step; the step checks three tokens a sequence, so a token takes more than a
/// share.
TEST_F(Served, SpeculationMakesTokensFaster) {
    scenario_.workload.traffic.rate = graph::Frequency{1.0};
    const metrics::Metrics one = metrics();
    scenario_.workload.engine.speculative = graph::Speculation::draft;
    scenario_.workload.engine.draft_share = 1.0 / 32.0;
    scenario_.workload.engine.speculative_tokens = 2;
    scenario_.workload.engine.acceptance = 0.8;
    scenario_.workload.engine.acceptance_decay = 0.5;
    const metrics::Metrics speculative = metrics();
    EXPECT_LT(speculative.tpot_p50, one.tpot_p50);
    EXPECT_GT(speculative.tpot_p50, one.tpot_p50 / 2.12);
    EXPECT_EQ(speculative.itl_p50, 0.0) << "more than half of the tokens come with the one before";
    EXPECT_GT(speculative.itl_p99, one.itl_p50) << "a step takes longer";
}

/// SGLang looks for requests after 40 steps, of two tokens each if all drafts are right. Requests wait for
/// half of that time on average: as long as 40 tokens take, and somewhat less because it looks after prompts,
/// too.
TEST_F(Served, StepsWithDraftsCountOnce) {
    graph::ServingEngine& engine = scenario_.workload.engine;
    engine.scheduler = graph::Scheduler::sglang;
    engine.speculative = graph::Speculation::draft;
    engine.speculative_tokens = 1;
    engine.acceptance = 1.0;
    scenario_.workload.traffic.output = 400;
    const double at_once = metrics().ttft_mean;
    engine.receive_every = 40;
    const metrics::Metrics rarely = metrics();
    EXPECT_NEAR((rarely.ttft_mean - at_once) / rarely.tpot_mean, 36.0, 8.0);
}

/// DeepSeek-V3 was published with such a head, Llama without.
TEST_F(Served, HeadsDraftWhereTheModelHasThem) {
    scenario_.workload.engine.speculative = graph::Speculation::mtp;
    EXPECT_THAT(error(), HasSubstr("model 'llama3_8b' has no heads that draft tokens"));
    scenario_.workload.model = "deepseek_v3";
    scenario_.workload.traffic.requests = 4;
    scenario_.system.cluster.device.memory.capacity = Bytes{2e12};
    const double speculative = metrics().tpot_p50;
    scenario_.workload.engine.speculative = graph::Speculation::none;
    EXPECT_LT(speculative, metrics().tpot_p50);
}

/// 500 tokens of a prompt and 49 of an output, which are read again after a preemption.
TEST_F(Served, WholePromptsNeedAStep) {
    scenario_.workload.engine.chunked_prefill = false;
    scenario_.workload.engine.token_budget = 548;
    EXPECT_THAT(error(), HasSubstr("none of 200 requests fits a step: the shortest has 549 tokens"));
    scenario_.workload.engine.token_budget = 549;
    EXPECT_EQ(error(), "accepted");
    scenario_.workload.engine.cache_pages = 3;
    EXPECT_THAT(error(), HasSubstr("fits a cache of 3 pages"));
}

/// Kept are two requests; a third, and no names of beginnings, and they are read one after another.
TEST(LongTraces, AreNotKept) {
    test::TemporaryFolder folder;
    const std::string head = "arrival_s,input_tokens,output_tokens\n";
    folder.write("one.csv", head + "1,5,2\n");
    folder.write("three.csv", head + "1,5,2\n2,5,2\n3,5,2\n");
    folder.write("pieces.csv",
                 "arrival_s,input_tokens,output_tokens,prefix_block_ids\n1,5,2,7\n2,5,2,7\n3,5,2,7\n");
    TraceShelf shelf{folder.path(), 2};
    EXPECT_FALSE(shelf.is_long("one.csv", 0));
    EXPECT_EQ(shelf.find("one.csv", 0).all.size(), 1U);
    EXPECT_TRUE(shelf.is_long("three.csv", 0));
    EXPECT_TRUE(shelf.is_long("three.csv", 3));
    EXPECT_FALSE(shelf.is_long("three.csv", 2));
    EXPECT_FALSE(shelf.is_long("pieces.csv", 0));
    EXPECT_EQ(shelf.find("pieces.csv", 0).all.size(), 3U) << "names belong to requests that are there";
    EXPECT_THROW(shelf.is_long("none.csv", 0), ModelError);
}

}  // namespace
}  // namespace dse::eval
