// Also tests: measure.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "eval/sweeps.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::eval {
namespace {

using graph::Mode;

class Serving : public testing::Test {
  protected:
    Serving() {
        scenario_.system.cluster = model::catalogue_cluster("h100_ndr400");
        scenario_.system.devices = 8;
        scenario_.workload.model = "llama3_8b";
        scenario_.workload.mode = Mode::decode;
        scenario_.workload.global_batch = 16;
        scenario_.workload.sequence = 1024;
        scenario_.workload.serving.output = 256;
        scenario_.workload.layout.tp = 2;
        scenario_.workload.stack.cuda_graphs = true;
    }

    const Evaluation& run(const study::Scenario& scenario) {
        // Equal keys, equal machine: only the engine differs here.
        const double key = scenario.fidelity.engine == "event" ? 1.0 : 0.0;
        return simulator_.run(scenario, {&key, 1}, WhenFull::refuse);
    }
    metrics::Metrics metrics(const study::Scenario& scenario) { return run(scenario).metrics; }
    metrics::Metrics metrics() { return metrics(scenario_); }

    study::Scenario scenario_;
    Simulator simulator_{std::make_unique<frontend::TemplateFrontend>(config::Library::standard(""))};
};

/// 16 sequences on 4 replicas: what the prompts take is a prefill of one a replica.
TEST_F(Serving, ADecodePointReadsItsPrompts) {
    const metrics::Metrics decode = metrics();
    EXPECT_EQ(decode.time_per_output_token, decode.iteration_time);
    EXPECT_SOFT_EQ(decode.tokens_per_second, 16 / decode.iteration_time);
    EXPECT_SOFT_EQ(decode.tokens_per_second_per_device, 2 / decode.iteration_time);
    study::Scenario prefill = scenario_;
    prefill.workload.mode = Mode::prefill;
    prefill.workload.global_batch = 4;
    const metrics::Metrics prompt = metrics(prefill);
    EXPECT_EQ(decode.time_to_first_token, prompt.iteration_time);
    EXPECT_EQ(prompt.time_to_first_token, prompt.iteration_time);
    EXPECT_TRUE(std::isnan(prompt.time_per_output_token));
    EXPECT_SOFT_EQ(prompt.requests_per_second, 4 / prompt.iteration_time);
    // A request takes a quarter of a prefill and a sixteenth of 255 steps.
    EXPECT_SOFT_EQ(1 / decode.requests_per_second,
                   prompt.iteration_time / 4 + 255 * decode.iteration_time / 16);
    scenario_.workload.serving.prefill_batch = 8;
    prefill.workload.global_batch = 8;
    EXPECT_EQ(metrics().time_to_first_token, metrics(prefill).iteration_time);
}

/// On one device all that is seen of a network is that kernels are rounded to its ticks. That those stand for
/// other times than the engine's would be 7 % (1 ns for 2^-30 s).
TEST_F(Serving, ANetworkWithAClockOfItsOwnAnswersInSeconds) {
    scenario_.system.devices = 1;
    scenario_.workload.layout.tp = 1;
    scenario_.workload.global_batch = 1;
    const metrics::Metrics plain = metrics();
    scenario_.fidelity.network = "astra_sim";
    const double other_machine = 2.0;
    const metrics::Metrics ticks = simulator_.run(scenario_, {&other_machine, 1}, WhenFull::refuse).metrics;
    EXPECT_NEAR(ticks.time_per_output_token / plain.time_per_output_token, 1.0, 0.01);
    EXPECT_NEAR(ticks.time_to_first_token / plain.time_to_first_token, 1.0, 0.01);
}

TEST_F(Serving, TrainingHasNoneOfIt) {
    scenario_.workload.mode = Mode::training;
    const metrics::Metrics training = metrics();
    EXPECT_TRUE(std::isnan(training.time_to_first_token));
    EXPECT_TRUE(std::isnan(training.batch_limit));
    EXPECT_EQ(training.memory_kv_cache, 0.0);
    EXPECT_SOFT_EQ(training.tokens_per_second_per_device, training.tokens_per_second / 8);
}

TEST_F(Serving, ANonexistentPromptNamesItself) {
    scenario_.workload.serving.prefill_batch = 6;
    try {
        metrics();
        FAIL() << "accepted";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(),
                    testing::HasSubstr(
                        "reading the prompt: a global batch of 6 is not divisible by dp 4 x microbatch 1"));
    }
}

/// The largest batch of the closed form is the last that is not refused.
TEST_F(Serving, TheBatchLimitIsWhatASearchFinds) {
    for (const Mode mode : {Mode::prefill, Mode::decode}) {
        for (const auto& [tp, pp] : {std::pair{1, 1}, {2, 1}, {2, 2}, {1, 4}, {8, 1}}) {
            scenario_.workload.mode = mode;
            scenario_.workload.layout.tp = tp;
            scenario_.workload.layout.pp = pp;
            scenario_.workload.sequence = 8192;
            const std::int64_t unit = 8 / tp;  // dp · pp
            scenario_.workload.global_batch = 2 * unit;
            const auto limit = static_cast<std::int64_t>(metrics().batch_limit);
            ASSERT_GT(limit, 0);
            ASSERT_EQ(limit % unit, 0);
            scenario_.workload.global_batch = limit;
            const Evaluation& full = run(scenario_);
            ASSERT_FALSE(full.shortage) << limit;
            EXPECT_EQ(full.metrics.batch_limit, static_cast<double>(limit)) << "whatever batch asks";
            EXPECT_LE(full.metrics.memory_peak, full.metrics.memory_capacity);
            scenario_.workload.global_batch = limit + unit;
            EXPECT_TRUE(run(scenario_).shortage) << limit;
        }
    }
}

/// A step of a loop is the same on every representative and on every rank, and its parts make it up.
TEST_F(Serving, BothEnginesAgree) {
    for (const std::string model : {"llama3_8b", "qwen3_30b_a3b"}) {
        for (const auto& [tp, pp, ep] : {std::tuple{2, 1, 1}, {1, 4, 1}, {2, 2, 2}, {1, 1, 8}}) {
            for (const Mode mode : {Mode::prefill, Mode::decode}) {
                if (model == "llama3_8b" && ep > 1) continue;
                scenario_.workload.model = model;
                scenario_.workload.mode = mode;
                scenario_.workload.layout.tp = tp;
                scenario_.workload.layout.pp = pp;
                scenario_.workload.layout.ep = ep;
                scenario_.workload.layout.etp = 1;
                scenario_.fidelity.engine = "folded";
                const sim::Result folded = run(scenario_).result;
                const auto bits = test::bits_of(metrics());
                ASSERT_TRUE(folded.parts);
                EXPECT_EQ(folded.parts->sum(), folded.iteration_time);
                scenario_.fidelity.engine = "event";
                EXPECT_EQ(test::bits_of(metrics()), bits) << model << tp << pp << ep;
            }
        }
    }
}

/// Three parts on two stages keep both busy; one part leaves each idle half of the time. A step of one part
/// takes as long as its way through both stages, however many parts there are below what fills them.
TEST_F(Serving, PartsOfABatchFillThePipeline) {
    scenario_.workload.layout.tp = 4;
    scenario_.workload.layout.pp = 2;
    scenario_.workload.global_batch = 64;
    scenario_.workload.serving.pipeline_batches = 1;
    const metrics::Metrics one = metrics();
    EXPECT_GT(one.bubble, 0.4 * one.iteration_time);
    scenario_.workload.serving.pipeline_batches = 2;
    const metrics::Metrics two = metrics();
    EXPECT_LT(two.bubble, 0.1 * two.iteration_time);
    EXPECT_GT(two.tokens_per_second, one.tokens_per_second);
    // Twice the sequences in twice as many parts: twice the period, once the stages are full.
    scenario_.workload.serving.pipeline_batches = 4;
    scenario_.workload.global_batch = 128;
    EXPECT_NEAR(metrics().iteration_time / two.iteration_time, 2.0, 0.1);
}

/// Memory that one sequence in each of four stages overfills has room for fewer, unless four parts are
/// stated.
TEST_F(Serving, TheBatchLimitMayLieBelowTheNumberOfStages) {
    scenario_.workload.layout.pp = 4;
    scenario_.workload.sequence = 32768;
    scenario_.workload.stack.allocator_overhead = 0.0;
    double machine = 1.0;  // each capacity is another one
    const auto played = [&](std::int64_t batch) {
        machine += 1.0;
        scenario_.workload.global_batch = batch;
        return simulator_.run(scenario_, {&machine, 1}, WhenFull::simulate).metrics;
    };
    const double one = played(1).memory_peak;
    const double four = played(4).memory_peak;
    ASSERT_GT(four, one);
    scenario_.system.cluster.device.memory.capacity = Bytes{0.5 * (one + four)};
    const double limit = played(4).batch_limit;
    EXPECT_GE(limit, 1.0);
    EXPECT_LT(limit, 4.0);
    scenario_.workload.serving.pipeline_batches = 4;
    EXPECT_EQ(played(4).batch_limit, 0.0);
}

}  // namespace
}  // namespace dse::eval
