// Also tests: serve/step_player.cpp, serve/step_key.cpp, stages/step.cpp
#include "eval/serve/step_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/serve/grid.hpp"
#include "eval/serve/served_scenario.hpp"
#include "support/soft_equal.hpp"

namespace dse::eval {
namespace {

using serving::Batch;
using serving::Chunk;
using serving::Decodes;
using serving::Ticks;

TEST(Grid, HasEqualSharesOfAnOctave) {
    constexpr Grid grid{2};
    std::vector<std::int64_t> knots;
    for (std::size_t i = 0; i < 17; ++i) knots.push_back(grid.knot(i));
    EXPECT_THAT(knots, ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32));
    EXPECT_EQ(grid.knot(grid.below(13)), 12);
    EXPECT_EQ(grid.knot(grid.below(16)), 16);
    EXPECT_EQ(grid.knot(grid.below(5)), 5);
}

class StepTimes : public ::testing::Test {
  protected:
    StepTable& table() {
        player_ = std::make_unique<StepPlayer>(played_.scenario, played_.machine(), played_.machine(),
                                               WhenFull::refuse, played_.stages);
        table_.serve(*player_, step_key(played_.scenario, played_.machine()));
        return table_;
    }
    Ticks decode(std::int64_t sequences, std::int64_t context) {
        const Decodes decodes{sequences, sequences * context};
        return table().decode(decodes).at(decodes.context);
    }
    Ticks mixed(std::vector<Chunk> chunks, Decodes decodes = {}) { return table().mixed(chunks, decodes); }

    /// A point of mode prefill or decode of the same system.
    double point(graph::Mode mode, std::int64_t batch, std::int64_t tokens) {
        study::Scenario scenario = played_.scenario;
        scenario.workload.mode = mode;
        scenario.workload.global_batch = 2 * batch;
        scenario.workload.sequence = tokens;
        scenario.workload.serving.context = tokens;
        Simulator simulator{library_frontend()};
        return simulator.run(scenario, {}, WhenFull::simulate).metrics.iteration_time;
    }

    PlayedScenario played_;
    std::unique_ptr<StepPlayer> player_;
    StepTable table_;
};

/// At knots, those of mode decode and prefill to a tick; long prompts are not replayed.
TEST_F(StepTimes, AreThoseOfOtherModes) {
    EXPECT_NEAR(serving::to_seconds(decode(20, 1024)), point(graph::Mode::decode, 20, 1024), 1e-9);
    EXPECT_NEAR(serving::to_seconds(decode(1, 64)), point(graph::Mode::decode, 1, 64), 1e-9);
    EXPECT_NEAR(serving::to_seconds(mixed({{0, 34}})), point(graph::Mode::prefill, 1, 34), 1e-9);
    const double prompt = serving::to_seconds(mixed({{0, 2048}}));
    played_.scenario.workload.stack.cuda_graphs = false;
    EXPECT_NEAR(prompt, point(graph::Mode::prefill, 1, 2048), 1e-9);
}

/// With ten times the kernels that are modelled, launches take longer than the devices. Graphs replay vLLM's
/// steps of up to 512 tokens, and no others that read prompts.
TEST_F(StepTimes, OfPromptsWaitForTheHost) {
    graph::WorkloadSpec& workload = played_.scenario.workload;
    workload.stack.launch_factor = 10.0;
    EXPECT_NEAR(serving::to_seconds(mixed({{0, 512}})), point(graph::Mode::prefill, 1, 512), 1e-9);
    const double launched = serving::to_seconds(mixed({{0, 1024}}));
    EXPECT_GT(launched, 2.0 * point(graph::Mode::prefill, 1, 1024));
    workload.engine.scheduler = graph::Scheduler::tensorrt;
    const double launched_too = serving::to_seconds(mixed({{0, 512}}));
    workload.stack.cuda_graphs = false;
    EXPECT_NEAR(launched, point(graph::Mode::prefill, 1, 1024), 1e-9);
    EXPECT_NEAR(launched_too, point(graph::Mode::prefill, 1, 512), 1e-9);
}

/// Twice as many kernels take the host twice as long, where no graph replays them.
TEST_F(StepTimes, TellHowLongTheHostLaunches) {
    graph::WorkloadSpec& workload = played_.scenario.workload;
    const std::vector<Chunk> prompt{{0, 1024}};
    const std::vector<Chunk> replayed{{0, 512}};
    const auto launches = [&](const std::vector<Chunk>& chunks) {
        const Batch batch{chunks, {}};
        return serving::to_seconds(table().launches({&batch, 1}));
    };
    workload.stack.launch_factor = 1.0;
    const double once = launches(prompt);
    EXPECT_GT(once, 0.0);
    EXPECT_EQ(launches(replayed), 0.0);
    EXPECT_EQ(launches({}), 0.0) << "of a step that only decodes";
    workload.stack.launch_factor = 2.0;
    EXPECT_NEAR(launches(prompt), 2.0 * once, 1e-9);
    workload.engine.graph_tokens = 1024;
    EXPECT_EQ(launches(prompt), 0.0);
}

/// docs/serving-engine.md, "Step times", states these bounds.
TEST_F(StepTimes, AreCloseBetweenKnots) {
    for (const auto& [sequences, context] :
         {std::pair{3, 100}, {20, 777}, {70, 1500}, {131, 90}, {201, 3000}, {255, 11000}}) {
        const double exact = point(graph::Mode::decode, sequences, context);
        EXPECT_NEAR(serving::to_seconds(decode(sequences, context)) / exact, 1.0, 0.01)
            << sequences << " of " << context;
    }
    for (const std::int64_t tokens : {70, 250, 999, 3001, 8190, 20001}) {
        const double exact = point(graph::Mode::prefill, 1, tokens / 2 * 2);
        EXPECT_NEAR(serving::to_seconds(mixed({{0, tokens}})) / exact, 1.0, 0.02) << tokens;
    }
}

/// vLLM's, where a tile of 64 rows of prompts holds one token: ten of them, each with 4,096 tokens before it.
/// Between knots, the attention of a prompt is interpolated for each of its tokens.
TEST_F(StepTimes, TokensTakeATileOfPrompts) {
    const std::vector<Chunk> prompt{{0, 1024}};
    const Decodes decodes{10, 10 * 4096};
    const Ticks apart = mixed(prompt, decodes);
    const Ticks alone = decode(10, 4096);
    played_.scenario.system.cluster.device.attention.mixed_rows = 64;
    table_.forget();
    const Ticks together = mixed(prompt, decodes);
    const double until = player_->prompt(4096).attention;
    const double each = 0.75 * until / 4096 + 0.25 * player_->prompt(4352).attention / 4352;
    const double own = player_->decode(10, 4096).attention;
    EXPECT_NEAR(serving::to_seconds(together - apart), 10 * (each * 4160 - until) - own, 1e-8);
    EXPECT_EQ(decode(10, 4096), alone) << "with a kernel for tokens";
    played_.scenario.workload.engine.scheduler = graph::Scheduler::tensorrt;
    EXPECT_LT(mixed(prompt, decodes), together) << "it calls a kernel for each kind";
}

/// Pieces of a prompt take its attention together, and the rest of the model's work once each.
TEST_F(StepTimes, PiecesShareThePromptsAttention) {
    const Ticks whole = mixed({{0, 4096}});
    const Ticks first = mixed({{0, 2048}});
    const Ticks second = mixed({{2048, 2048}});
    EXPECT_GT(second, first) << "it attends to the first";
    EXPECT_LT(first, whole);
    const StepPlayer::Step step = player_->prompt(4096);
    const StepPlayer::Step half = player_->prompt(2048);
    EXPECT_NEAR(serving::to_seconds(first + second), 2.0 * (half.time - half.attention) + step.attention,
                1e-8);
}

/// Two prompts in one step read the parameters once, and do not see each other.
TEST_F(StepTimes, PromptsDoNotAttendToEachOther) {
    const Ticks together = mixed({{0, 1024}, {0, 1024}});
    EXPECT_LT(together, 2 * mixed({{0, 1024}}));
    EXPECT_LT(together, mixed({{0, 2048}}));
}

/// Two attention ranks that share eight experts. Two equal prompts take as long as a step of this size; one
/// alone has half as many tokens for the experts.
TEST_F(StepTimes, RanksShareExperts) {
    graph::WorkloadSpec& workload = played_.scenario.workload;
    workload.model = "mixtral_8x7b";
    workload.layout.tp = 1;
    workload.layout.ep = 2;
    workload.engine.attention_dp = 2;
    const std::vector<Chunk> prompt{{0, 2048}};
    const Ticks both = table().together(std::vector<Batch>{{prompt, {}}, {prompt, {}}});
    const Ticks one = table().together(std::vector<Batch>{{prompt, {}}, {}});
    EXPECT_EQ(both, mixed({{0, 2048}}));
    const StepPlayer::Step whole = player_->prompt(2048);
    const StepPlayer::Step half = player_->prompt(1024);
    ASSERT_GT(whole.shared, 0.3 * whole.time);
    EXPECT_NEAR(serving::to_seconds(both - one), whole.shared - half.shared, 1e-9);
    EXPECT_GT(2 * one, both);
    // The other rank decodes beside it: its 16 tokens add to those that experts share.
    const Decodes few{16, 16L * 1024};
    const Ticks beside = table().together(std::vector<Batch>{{prompt, {}}, {{}, few}});
    EXPECT_GE(beside, one);
    EXPECT_LT(beside - one, (both - one) / 32);
    const Decodes more{32, 32L * 1024};
    const Ticks longest = table().together(std::vector<Batch>{{{}, few}, {{}, more}});
    EXPECT_EQ(longest, table().decode(more).at(more.context)) << "graphs of the largest batch on both";
}

/// Rank 16 beside the four products of a layer, of 4096 · 3072, 2048 · 4096, 4096 · 14336 and 7168 · 4096 on
/// each of two devices: 43,008 · 16 numbers of two bytes in each of 32 layers, and two kernels a product.
TEST_F(StepTimes, AdaptersCostTheirKernelsAndBytes) {
    const Batch one{{}, {8, 8L * 1024}, 1, 0};
    EXPECT_EQ(table().adapters(one), 0) << "requests name none";
    played_.scenario.workload.traffic.adapters = 10;
    const hardware::ClusterSpec& cluster = played_.scenario.system.cluster;
    const double bytes = 43'008.0 * 16 * 2 * 32;
    const double bandwidth = cluster.device.memory.sustained().value();
    const auto seconds = [&](const Batch& batch) { return serving::to_seconds(table().adapters(batch)); };
    EXPECT_NEAR(seconds({{}, {8, 8L * 1024}, 8, 0}) - seconds(one), 7.0 * bytes / bandwidth, 1e-11);
    EXPECT_NEAR(seconds({{}, {8, 8L * 1024}, 1, 1}) - seconds(one), bytes / cluster.host.bandwidth.value(),
                1e-11);
    const double tokens = (4096 + 2048 + 4096 + 7168 + 2 * (3072 + 4096 + 14336 + 4096) + 8 * 16) * 2.0 * 32;
    EXPECT_NEAR(seconds({{}, {16, 16L * 1024}, 1, 0}) - seconds(one), 8.0 * tokens / bandwidth, 1e-11);
    const std::vector<Chunk> prompt{{0, 8}};
    const Seconds latency = cluster.device.kernel_latency - cluster.device.graph_kernel_latency;
    EXPECT_NEAR(seconds({prompt, {}, 1, 0}) - seconds(one), 4 * 2 * 32 * latency.value(), 1e-11)
        << "prompts are not replayed";
    const double two_more = seconds({{}, {8, 8L * 1024}, 3, 0}) - seconds(one);
    played_.scenario.workload.engine.lora_rank = 32;
    EXPECT_NEAR(seconds({{}, {8, 8L * 1024}, 3, 0}) - seconds(one), 2.0 * two_more, 1e-11);
    played_.scenario.workload.engine.lora_rank = 16;
    played_.scenario.system.cluster.device.graph_kernel_latency = {};
    EXPECT_NEAR(seconds({prompt, {}, 1, 0}) - seconds(one), 0.0, 1e-11)
        << "a device that states no latency of replayed kernels";
    played_.scenario.system.cluster.host.bandwidth = {};
    EXPECT_THROW(table(), ModelError) << "nothing to load them over";
}

TEST_F(StepTimes, DecodesBesideAPromptCostTheirAttention) {
    const Ticks alone = mixed({{0, 1008}});
    const Ticks beside = mixed({{0, 1008}}, {16, 16L * 4096});
    const Ticks more = mixed({{0, 1008}}, {16, 16L * 8192});
    EXPECT_GT(beside, alone);
    EXPECT_GT(more, beside);
    EXPECT_LT(beside, alone + decode(16, 4096)) << "the parameters are read once";
}

/// A line ends where the next begins.
TEST_F(StepTimes, LinesJoin) {
    const serving::DecodeLine line = table().decode({10, 10L * 100});
    EXPECT_EQ(line.last_context, 10 * 128 - 1);
    const serving::DecodeLine next = table().decode({10, line.last_context + 1});
    EXPECT_GT(next.last_context, line.last_context);
    const Ticks step = line.per_token * 10;
    EXPECT_NEAR(static_cast<double>(next.at(1280)), static_cast<double>(line.at(1280)),
                static_cast<double>(step));
}

TEST_F(StepTimes, AreKeptWhereNothingThatDecidesThemChanges) {
    decode(20, 1024);
    const std::int64_t played = table_.played();
    EXPECT_GT(played, 0);
    played_.scenario.workload.traffic.rate = graph::Frequency{1.0};
    played_.scenario.workload.engine.token_budget = 512;
    played_.scenario.workload.levels.most[0][0] = Seconds{1.0};
    decode(20, 1024);
    EXPECT_EQ(table_.played(), played);
    played_.scenario.workload.layout.tp = 4;
    const Ticks wider = decode(20, 1024);
    EXPECT_LE(table_.played(), played) << "of the new ones alone";
    played_.scenario.workload.layout.tp = 2;
    EXPECT_GT(decode(20, 1024), wider);
}

/// A pipeline of two: 3 sequences lie between 2 and 4.
TEST_F(StepTimes, OfAPipelineLieBetweenEqualParts) {
    played_.scenario.workload.layout.tp = 1;
    played_.scenario.workload.layout.pp = 2;
    played_.scenario.workload.engine.concurrent_batches = false;
    const Ticks three = decode(3, 1024);
    EXPECT_NEAR(static_cast<double>(three), 0.5 * static_cast<double>(decode(2, 1024) + decode(4, 1024)),
                2.0);
    EXPECT_GT(mixed({{0, 512}}), 0);
}

/// Three sequences in each of two batches take as long as six that are divided between the stages.
TEST_F(StepTimes, BatchesOfAPipelineAreEqual) {
    graph::WorkloadSpec& workload = played_.scenario.workload;
    workload.layout.tp = 1;
    workload.layout.pp = 2;
    const Ticks each = decode(3, 1024);
    const Ticks reading = mixed({{0, 512}});
    workload.engine.concurrent_batches = false;
    EXPECT_NEAR(static_cast<double>(decode(6, 1024)), static_cast<double>(each), 6.0) << "a tick a token";
    EXPECT_EQ(mixed({{0, 512}}), reading);
}

/// Mixtral on two ranks that exchange tokens. With nothing to hide, two halves take twice as long as one; the
/// exchange adds to that at most what it takes alone.
TEST_F(StepTimes, HalvesOfAStepHideTheirExchanges) {
    graph::WorkloadSpec& workload = played_.scenario.workload;
    workload.model = "mixtral_8x7b";
    workload.layout.tp = 1;
    workload.layout.ep = 2;
    workload.engine.attention_dp = 2;
    const auto times = [&](double exposed, bool two_batch, std::int64_t sequences, std::int64_t tokens) {
        workload.stack.exposed_ep = exposed;
        workload.engine.two_batch = two_batch;
        table();
        return std::pair{player_->decode(sequences, 1024).time, player_->prompt(tokens)};
    };
    const auto [decoding, reading] = times(1.0, true, 64, 4096);
    const auto [decoding_hidden, reading_hidden] = times(0.0, true, 64, 4096);
    const auto [half_hidden, half_prompt_hidden] = times(0.0, false, 32, 2048);
    const auto [half, half_prompt] = times(1.0, false, 32, 2048);
    const auto [whole, whole_prompt] = times(1.0, false, 64, 4096);
    EXPECT_NEAR(decoding_hidden, 2.0 * half_hidden, 1e-12);
    EXPECT_GE(decoding, decoding_hidden);
    EXPECT_LE(decoding, 2.0 * half + 1e-12);
    workload.stack.exposed_ep = 0.0;
    workload.engine.two_batch = true;
    table();
    EXPECT_EQ(player_->decode(63, 1024).time, player_->decode(64, 1024).time) << "one half has 32 of 63";
    workload.engine.two_batch = false;
    table();
    const double half_attention = player_->decode(32, 1024).attention;
    workload.engine.two_batch = true;
    table();
    EXPECT_EQ(player_->decode(64, 1024).attention, 2.0 * half_attention);
    // The attention of both halves is that of the whole prompt.
    EXPECT_NEAR(reading_hidden.time,
                2.0 * (half_prompt_hidden.time - half_prompt_hidden.attention) + whole_prompt.attention,
                1e-9);
    EXPECT_LT(reading.time, whole_prompt.time) << "its exchange is hidden";
    EXPECT_GT(reading.time, reading_hidden.time - 1e-12);
    workload.layout.pp = 2;
    workload.engine.two_batch = true;
    EXPECT_THROW(table(), ModelError);
}

TEST_F(StepTimes, ExpertsAcrossReplicasAreRefused) {
    played_.scenario.workload.model = "mixtral_8x7b";
    played_.scenario.workload.layout.ep = 4;
    played_.scenario.workload.layout.etp = 1;
    try {
        table();
        FAIL() << "accepted";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("experts are spread over"));
    }
}

/// 1 + 0.9 + 0.9 · 0.45.
TEST(AcceptedLength, IsThatOfDraftTokensUpToTheFirstWrongOne) {
    graph::ServingEngine engine;
    engine.acceptance = 0.9;
    engine.acceptance_decay = 0.5;
    engine.speculative_tokens = 2;
    EXPECT_EQ(accepted_length(engine), 1.0);
    engine.speculative = graph::Speculation::draft;
    EXPECT_SOFT_EQ(accepted_length(engine), 2.305);
}

/// Mixtral has 32 layers with two products of experts each, Llama-3 8B none.
TEST_F(StepTimes, KernelsAroundExpertsTakeTime) {
    graph::WorkloadSpec& workload = played_.scenario.workload;
    const auto added = [&] {
        workload.engine.expert_launch = {};
        const double without = serving::to_seconds(decode(20, 1024));
        workload.engine.expert_launch = Seconds{1e-5};
        return serving::to_seconds(decode(20, 1024)) - without;
    };
    EXPECT_EQ(added(), 0.0);
    workload.model = "mixtral_8x7b";
    EXPECT_NEAR(added(), 2 * 32 * 1e-5, 1e-8);
}

/// 80 tokens of 20 sequences, which read their caches once. All drafts are right, and take no time.
TEST_F(StepTimes, DraftTokensReadTheCacheOnce) {
    graph::ServingEngine& engine = played_.scenario.workload.engine;
    engine.speculative = graph::Speculation::draft;
    engine.speculative_tokens = 3;
    engine.acceptance = engine.acceptance_decay = 1.0;
    engine.draft_share = 0.0;
    const double token = serving::to_seconds(decode(20, 1024));
    const auto reading = [&](std::int64_t sequences) {
        return player_->decode(sequences, 1024).attention - player_->decode(sequences, 1).attention;
    };
    const double all = player_->decode(80, 1024).time;
    EXPECT_NEAR(4.0 * token, all - reading(80) + reading(20), 1e-8);
    EXPECT_LT(4.0 * token, all - 2.0 * reading(20));
    // Without a context, they are as many sequences.
    EXPECT_NEAR(4.0 * serving::to_seconds(decode(20, 1)), player_->decode(80, 1).time, 1e-8);
}

/// A layer with a state keeps it after each draft token: four of 64 sequences cost it as much as 256
/// sequences, not as 64.
TEST_F(StepTimes, DraftTokensHaveStatesOfTheirOwn) {
    graph::WorkloadSpec& workload = played_.scenario.workload;
    workload.model = "qwen3_5_397b_a17b";
    workload.stack.precision = graph::Precision::fp8;
    workload.layout.tp = 8;
    played_.scenario.system.devices = 16;
    workload.engine.speculative = graph::Speculation::draft;
    workload.engine.speculative_tokens = 3;
    workload.engine.acceptance = workload.engine.acceptance_decay = 1.0;
    workload.engine.draft_share = 0.0;
    const double step = 4.0 * serving::to_seconds(decode(64, 1));
    const StepPlayer::Step all = player_->decode(256, 1);
    EXPECT_NEAR(step, all.time, 1e-8);
    EXPECT_GT(all.attention, 2.0 * player_->decode(64, 1).attention);
}

/// Graphs of 1, 2, 4, 8, 16 … sequences: five take as long as eight, of whom three attend to a token each.
TEST_F(StepTimes, OfGraphsAreAStaircase) {
    const Ticks eight = table().decode({8, 5003}).at(5003);
    const Ticks sixteen = decode(16, 100);
    played_.scenario.workload.engine.graph_batch = 8;
    EXPECT_EQ(table().decode({5, 5000}).at(5000), eight);
    EXPECT_EQ(table().decode({8, 5003}).at(5003), eight);
    EXPECT_EQ(decode(16, 100), sixteen);
    EXPECT_EQ(decode(3, 1), table().decode({4, 4}).at(4));
}

/// Graphs of 8, 16, 32, 64 and 100 sequences: 17 take as long as 32, and 65 as long as 100.
TEST_F(StepTimes, OfLargeGraphsDouble) {
    const Ticks sixteen = decode(16, 100);
    const Ticks thirty_two = table().decode({32, 1715}).at(1715);
    const Ticks hundred = table().decode({100, 6535}).at(6535);
    played_.scenario.workload.engine.graph_batch = 8;
    played_.scenario.workload.engine.graph_double_from = 16;
    played_.scenario.workload.engine.max_sequences = 100;
    EXPECT_EQ(decode(16, 100), sixteen);
    EXPECT_EQ(table().decode({17, 1700}).at(1700), thirty_two);
    EXPECT_EQ(table().decode({65, 6500}).at(6500), hundred);
}

/// With 21 sequences at most, TensorRT-LLM and SGLang capture graphs of 8, 16 and 21; vLLM also one of 24.
/// With three at most, they capture 1, 2 and 3, vLLM also 4.
TEST_F(StepTimes, OfLargestBatchesAreThoseOfTheirOwnGraphs) {
    const Ticks own = table().decode({21, 2100}).at(2100);
    const Ticks three = table().decode({3, 300}).at(300);
    graph::ServingEngine& engine = played_.scenario.workload.engine;
    engine.graph_batch = 8;
    engine.max_sequences = 21;
    const Ticks padded = table().decode({24, 2103}).at(2103);
    EXPECT_EQ(table().decode({21, 2100}).at(2100), padded);
    for (const auto scheduler : {graph::Scheduler::tensorrt, graph::Scheduler::sglang}) {
        engine.scheduler = scheduler;
        engine.max_sequences = 21;
        EXPECT_EQ(table().decode({18, 2097}).at(2097), own) << "and three of a token each";
        EXPECT_EQ(table().decode({21, 2100}).at(2100), own);
        engine.max_sequences = 3;
        EXPECT_EQ(table().decode({3, 300}).at(300), three);
    }
}

}  // namespace
}  // namespace dse::eval
