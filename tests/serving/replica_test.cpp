// Also tests: replica_patience.cpp, replica_priority.cpp, replica_sequences.cpp
// Also tests: replica_sglang.cpp, replica_waits.cpp, inbox.cpp
#include "dse/serving/replica.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serving/flat_costs.hpp"
#include "serving/random.hpp"
#include "serving/requests_with.hpp"
#include "serving/serve_alone.hpp"
#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

constexpr std::size_t ttft = 0;

/// Steps as "decoding sequences, pieces" of a replica with 6 pages of 4 tokens.
class Schedule : public ::testing::Test {
  protected:
    Schedule() {
        limits_.pages = 6;
        limits_.page_tokens = 4;
        limits_.engine.token_budget = 8;
        limits_.engine.max_sequences = 4;
    }

    struct Step {
        Ticks start;
        std::int64_t decoding;
        std::vector<Chunk> chunks;
        std::int64_t steps;
        friend bool operator==(const Step&, const Step&) = default;
    };

    std::vector<Step> serve(std::vector<Request> requests, std::int64_t clients = 0) {
        std::vector<Step> steps;
        FlatCosts costs{100};
        Recorder recorder{{}, requests.size()};
        Requests all;
        all.all = std::move(requests);
        const Share share{all, 0, 1, clients};
        Replica replica{limits_, share, recorder};
        replica.set_watch([&](const StepReport& report) {
            steps.push_back({report.start,
                             report.decodes.sequences,
                             {report.chunks.begin(), report.chunks.end()},
                             report.steps});
        });
        serve_alone(replica, limits_.engine, costs);
        outcome_ = recorder.outcome(1);
        return steps;
    }

    /// The same, for requests with pieces.
    void serve_all(Requests& requests) {
        FlatCosts costs{100};
        Recorder recorder{{}, requests.all.size()};
        Replica replica{limits_, Share{requests}, recorder};
        serve_alone(replica, limits_.engine, costs);
        outcome_ = recorder.outcome(1);
    }

    ReplicaLimits limits_;
    Outcome outcome_;
};

/// A token takes ten steps to send. After three steps the first request has its tokens, of which the last
/// will arrive at 6,100, and the client of the second, who waited until 250, has left: that one sends the
/// third.
TEST_F(Schedule, ClientsWhoHaveLeftDoNotWaitForTokensOfOthers) {
    limits_.engine.send_time = Seconds{to_seconds(1000)};
    limits_.patience = {{}, {Seconds{}, Seconds{to_seconds(250)}}};
    std::vector<Request> three{{0, 4, 3}, {0, 4, 8}, {0, 4, 1}};
    three[1].kind = 1;
    const std::vector<Step> steps = serve(three, 2);
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.back().start, 300);
    EXPECT_EQ(outcome_.answered, 2);
    EXPECT_EQ(outcome_.gave_up, 1);
}

/// 11 tokens: 8 of the budget, then 3; what is left of the second step's goes to the next prompt.
TEST_F(Schedule, ReadsPromptsInPieces) {
    const std::vector<Step> expected{
        {0, 0, {{0, 8}}, 1}, {100, 0, {{8, 3}, {0, 3}}, 1}, {200, 2, {}, 1}, {300, 1, {}, 2}};
    EXPECT_EQ(serve({{0, 11, 2}, {0, 3, 4}}), expected);
}

TEST_F(Schedule, ReadsPromptsWholeWhereItMust) {
    limits_.engine.chunked_prefill = false;
    const std::vector<Step> expected{{0, 0, {{0, 6}}, 1}, {100, 0, {{0, 6}}, 1}};
    EXPECT_EQ(serve({{0, 6, 1}, {0, 6, 1}}), expected);
}

/// Both have 12 tokens cached before step 6 and hold 3 pages: the second begins again with 12 + 1 tokens.
TEST_F(Schedule, PreemptsTheLastThatWasLetIn) {
    limits_.engine.token_budget = 100;
    const std::vector<Step> steps = serve({{0, 8, 8}, {0, 8, 8}});
    EXPECT_EQ(outcome_.preemptions, 1);
    const std::vector<Step> expected{
        {0, 0, {{0, 8}, {0, 8}}, 1}, {100, 2, {}, 4}, {500, 1, {}, 1}, {600, 1, {}, 2},
        {800, 0, {{0, 13}}, 1},      {900, 1, {}, 2}};
    EXPECT_EQ(steps, expected);
}

/// As before, but of the second's 3 pages the first takes only the last: it begins again behind 8 tokens.
TEST_F(Schedule, WhoWasPreemptedFindsItsPagesAgain) {
    limits_.engine.token_budget = 100;
    limits_.engine.prefix_cache = true;
    const std::vector<Step> steps = serve({{0, 8, 8}, {0, 8, 8}});
    EXPECT_EQ(outcome_.preemptions, 1);
    const std::vector<Step> expected{
        {0, 0, {{0, 8}, {0, 8}}, 1}, {100, 2, {}, 4}, {500, 1, {}, 1}, {600, 1, {}, 2},
        {800, 0, {{8, 5}}, 1},       {900, 1, {}, 2}};
    EXPECT_EQ(steps, expected);
}

/// 12 of the 13 tokens of prompt and answer are cached, in three pages, two of which the prompt filled.
TEST_F(Schedule, TurnsFindAnswersIfTheseAreNamed) {
    limits_.pages = 20;
    limits_.engine.prefix_cache = true;
    limits_.engine.token_budget = 100;
    for (const bool named : {true, false}) {
        Requests requests = requests_with({{0, 8, 5}, {5'000, 17, 2}}, {{0, 1, 2}, {0, 1, 2, 3}});
        requests.names_answers = named;
        serve_all(requests);
        EXPECT_EQ(outcome_.cached_tokens, named ? 12 : 8);
        EXPECT_EQ(outcome_.admitted_tokens, 25);
    }
}

/// The second prompt takes all four pages of the first; the third copies the 8 tokens that they had, at 5
/// ticks each, before its step of 100 or during it.
TEST_F(Schedule, HostMemoryKeepsWhatTheCacheForgets) {
    limits_.pages = 4;
    limits_.engine.prefix_cache = true;
    limits_.engine.token_budget = 100;
    limits_.copy_time = to_seconds(5);
    const auto serve_three = [&] {
        Requests requests =
            requests_with({{0, 8, 1}, {200, 16, 1}, {400, 9, 1}}, {{0, 1}, {2, 3, 4, 5}, {0, 1}});
        serve_all(requests);
    };
    serve_three();
    EXPECT_EQ(outcome_.cached_tokens, 0);
    limits_.host_pages = 6;
    serve_three();
    EXPECT_EQ(outcome_.cached_tokens, 8);
    EXPECT_EQ(outcome_.copied_tokens, 8);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(540));
    limits_.engine.host_load = graph::HostLoad::layers;
    serve_three();
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(500));
    limits_.host_pages = 4;
    serve_three();
    EXPECT_EQ(outcome_.copied_tokens, 0) << "the second prompt took its place there, too";
}

/// To their ends both need 4 pages, and there are 6.
TEST_F(Schedule, TensorRtLetsInWhatHasRoomToItsEnd) {
    limits_.engine.token_budget = 100;
    limits_.engine.scheduler = graph::Scheduler::tensorrt;
    const std::vector<Step> steps = serve({{0, 8, 8}, {0, 8, 8}});
    EXPECT_EQ(outcome_.preemptions, 0);
    const std::vector<Step> expected{
        {0, 0, {{0, 8}}, 1}, {100, 1, {}, 7}, {800, 0, {{0, 8}}, 1}, {900, 1, {}, 7}};
    EXPECT_EQ(steps, expected);
}

/// One adapter at a time. While requests of adapter 0 run, vLLM's and TensorRT-LLM's schedulers pass over
/// that of adapter 1 and take the next of adapter 0 from behind it; SGLang's lets nobody pass.
TEST_F(Schedule, PassesOverRequestsWhoseAdapterHasNoPlace) {
    limits_.adapters = 2;
    limits_.engine.max_loras = 1;
    std::vector<Request> three(3, Request{0, 4, 2});
    three[1].adapter = 1;
    for (const graph::Scheduler scheduler : {graph::Scheduler::vllm, graph::Scheduler::tensorrt}) {
        limits_.engine.scheduler = scheduler;
        serve(three);
        EXPECT_SOFT_EQ(outcome_.duration, to_seconds(400)) << "0 and 2 together, then 1";
    }
    limits_.engine.scheduler = graph::Scheduler::sglang;
    serve(three);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(600)) << "one after another";
    limits_.engine.max_loras = 2;
    serve(three);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(300)) << "the budget of 8 tokens has two of them first";
}

/// To their ends the requests of adapter 0 need 2 pages each, and there are 6. That of adapter 1 has no
/// place. TensorRT-LLM passes over it while it needs 4 pages, but not while it needs 5; vLLM does in any
/// case.
TEST_F(Schedule, TensorRtPassesOverNobodyWhoLacksPages) {
    limits_.adapters = 2;
    limits_.engine.scheduler = graph::Scheduler::tensorrt;
    std::vector<Request> three(3, Request{0, 4, 2});
    three[1].adapter = 1;
    three[1].output = 13;
    serve(three);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(200 + 1300)) << "0 and 2 together, then 1";
    three[1].output = 14;
    serve(three);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(200 + 1400 + 200)) << "one after another";
    limits_.engine.scheduler = graph::Scheduler::vllm;
    serve(three);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(200 + 1400));
}

/// A run of steps ends at the first after the arrival at 250.
TEST_F(Schedule, StopsForWhoArrives) {
    const std::vector<Step> steps = serve({{0, 4, 10}, {250, 4, 1}});
    const std::vector<Step> expected{
        {0, 0, {{0, 4}}, 1}, {100, 1, {}, 2}, {300, 1, {{0, 4}}, 1}, {400, 1, {}, 6}};
    EXPECT_EQ(steps, expected);
    EXPECT_SOFT_EQ(outcome_.latency[ttft][1], to_seconds(125));
}

TEST_F(Schedule, ClientsSendWhenTheyAreAnswered) {
    const std::vector<Step> steps = serve({{0, 4, 3}, {0, 4, 1}, {0, 4, 1}}, 1);
    const std::vector<Step> expected{
        {0, 0, {{0, 4}}, 1}, {100, 1, {}, 2}, {300, 0, {{0, 4}}, 1}, {400, 0, {{0, 4}}, 1}};
    EXPECT_EQ(steps, expected);
    EXPECT_EQ(outcome_.waiting, 0.0);
}

/// One at a time, each in one step of the same time: a queue M/D/1, whose mean wait is
/// rho / (2 (1 - rho)) services (Pollaczek, Khinchine).
TEST_F(Schedule, WaitsAsTheoryOfQueuesSays) {
    limits_.engine.max_sequences = 1;
    for (const double load : {0.5, 0.8}) {
        Random random{3};
        Requests requests;
        requests.all.resize(400'000);
        double time = 0.0;
        for (Request& request : requests.all) {
            request = {static_cast<Ticks>(time), 4, 1};
            time += 1'000'000.0 / load * random.exponential();
        }
        FlatCosts costs{1'000'000};
        Recorder recorder{{}, requests.all.size()};
        const Share share{requests, 0, 1, 0};
        Replica replica{limits_, share, recorder};
        serve_alone(replica, limits_.engine, costs);
        const double wait = recorder.outcome(1).latency[ttft][0] / to_seconds(1'000'000) - 1.0;
        // A step's rounding aside; the mean of so many correlated waits is right to some 2 %.
        EXPECT_NEAR(wait / (load / (2.0 * (1.0 - load))), 1.0, 0.03) << load;
    }
}

/// Tokens that steps process for 400 drawn requests, and what their own tokens are: all but the last of each,
/// which is never read.
class Work : public Schedule {
  protected:
    Work() {
        limits_.engine.token_budget = 32;
        limits_.engine.max_sequences = 8;
    }

    std::vector<Request> requests() const {
        Random random{5};
        std::vector<Request> drawn(400);
        double time = 0.0;
        for (Request& request : drawn) {
            time += static_cast<double>(gap_) * random.exponential();
            request = {static_cast<Ticks>(time), 1 + static_cast<std::int32_t>(40 * random.uniform()),
                       1 + static_cast<std::int32_t>(20 * random.uniform())};
        }
        return drawn;
    }
    std::int64_t own() const {
        std::int64_t tokens = 0;
        for (const Request& request : requests()) tokens += request.prompt + request.output - 1;
        return tokens;
    }
    std::int64_t processed(std::int64_t pages) {
        limits_.pages = pages;
        std::int64_t tokens = 0;
        for (const Step& step : serve(requests())) {
            tokens += step.steps * step.decoding;
            for (const Chunk& chunk : step.chunks) tokens += chunk.tokens;
        }
        return tokens;
    }

    Ticks gap_{300};
};

TEST_F(Work, IsDoneOnceWhereThereIsRoom) {
    using graph::Scheduler;
    for (const Scheduler scheduler : {Scheduler::vllm, Scheduler::tensorrt, Scheduler::sglang}) {
        limits_.engine.scheduler = scheduler;
        EXPECT_EQ(processed(1'000), own());
        EXPECT_EQ(outcome_.preemptions, 0);
        EXPECT_EQ(outcome_.answered, 400);
    }
}

/// With few pages it is done again: less of it with a cache that keeps pages, and less with more pages.
TEST_F(Work, IsDoneAgainAfterPreemptions) {
    const std::int64_t forgotten = processed(24);
    const std::int64_t preemptions = outcome_.preemptions;
    EXPECT_GT(preemptions, 20);
    EXPECT_GT(forgotten, own());
    EXPECT_LT(processed(48), forgotten);
    EXPECT_LT(outcome_.preemptions, preemptions);
    limits_.engine.prefix_cache = true;
    const std::int64_t kept = processed(24);
    EXPECT_GT(outcome_.preemptions, 20);
    EXPECT_GT(kept, own());
    EXPECT_LT(kept - own(), (forgotten - own()) / 2);
    limits_.engine.scheduler = graph::Scheduler::tensorrt;
    EXPECT_EQ(processed(24), own()) << "it preempts nobody";
}

/// Nobody waits less if all come in half of the time.
TEST_F(Work, WaitsLongerTheFasterItComes) {
    double before = 0.0;
    for (const Ticks gap : {4'800, 2'400, 1'200, 600, 300}) {
        gap_ = gap;
        processed(48);
        const double first = outcome_.latency[ttft][0];
        EXPECT_GE(first, before) << gap;
        before = first;
    }
}

TEST_F(Schedule, StopsWhereItIsTold) {
    Requests requests;
    requests.all.assign(10'000, Request{0, 4, 2});
    FlatCosts costs{100};
    Recorder recorder{{}, requests.all.size()};
    const Share share{requests, 0, 1, 0};
    Replica replica{limits_, share, recorder};
    const auto stop = [] { throw std::runtime_error("enough"); };
    EXPECT_THROW(serve_alone(replica, limits_.engine, costs, stop), std::runtime_error);
}

/// 10 ticks a token of a prompt and 30 more: the first is known at 11 · 10 + 30, the second 30 ticks of its
/// own later, in the step under way.
TEST_F(Schedule, PromptsAreTokenizedOneAfterTheOther) {
    limits_.engine.tokenize_time = Seconds{to_seconds(10)};
    limits_.engine.request_time = Seconds{to_seconds(30)};
    const std::vector<Step> expected{
        {140, 0, {{0, 8}}, 1}, {240, 0, {{8, 3}, {0, 3}}, 1}, {340, 2, {}, 1}, {440, 1, {}, 2}};
    EXPECT_EQ(serve({{0, 11, 2}, {0, 3, 4}}), expected);
}

/// The first two arrive together, and are accepted after 2 · 40; the third waits for them, and is accepted
/// after 40 more, in the second step.
TEST_F(Schedule, RequestsThatArriveTogetherAreAcceptedTogether) {
    limits_.engine.accept_time = Seconds{to_seconds(40)};
    const std::vector<Step> expected{{80, 0, {{0, 3}, {0, 3}}, 1}, {180, 1, {{0, 2}}, 1}, {280, 1, {}, 1}};
    EXPECT_EQ(serve({{0, 3, 1}, {0, 3, 3}, {70, 2, 1}}), expected);
}

/// A host that needs 70 ticks and 20 a sequence: before a step, or beside the step of 100.
TEST_F(Schedule, HostsWorkBeforeStepsOrBesideThem) {
    limits_.engine.host_time = Seconds{to_seconds(70)};
    limits_.engine.host_time_sequence = Seconds{to_seconds(20)};
    const std::vector<Step> before{{0, 0, {{0, 3}, {0, 3}}, 1}, {170, 2, {}, 1}, {380, 1, {}, 1}};
    EXPECT_EQ(serve({{0, 3, 2}, {0, 3, 3}}), before);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(570));
    limits_.engine.asynchronous = true;
    const std::vector<Step> beside{{0, 0, {{0, 3}, {0, 3}}, 1}, {100, 2, {}, 1}, {210, 1, {}, 1}};
    EXPECT_EQ(serve({{0, 3, 2}, {0, 3, 3}}), beside);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(310));
}

/// The second request comes at 150. A host that works ahead has composed the step of 200 by then, and takes
/// it into that of 300. Nothing is composed where nothing is to do, as when the third comes at 1,000.
TEST_F(Schedule, HostsThatWorkAheadTakeNewRequestsAStepLater) {
    const std::vector<Request> three{{0, 4, 4}, {150, 4, 2}, {1000, 4, 1}};
    const std::vector<Step> at_once{
        {0, 0, {{0, 4}}, 1}, {100, 1, {}, 1}, {200, 1, {{0, 4}}, 1}, {300, 2, {}, 1}, {1000, 0, {{0, 4}}, 1}};
    EXPECT_EQ(serve(three), at_once);
    limits_.engine.asynchronous = true;
    const std::vector<Step> later{
        {0, 0, {{0, 4}}, 1}, {100, 1, {}, 2}, {300, 1, {{0, 4}}, 1}, {400, 1, {}, 1}, {1000, 0, {{0, 4}}, 1}};
    EXPECT_EQ(serve(three), later);
}

/// Devices that pause for 30 ticks before each step of 100, whether the host of 70 works before or beside
/// them.
TEST_F(Schedule, DevicesPauseBeforeSteps) {
    limits_.engine.step_gap = Seconds{to_seconds(30)};
    const std::vector<Step> paused{{0, 0, {{0, 3}}, 1}, {130, 1, {}, 2}};
    EXPECT_EQ(serve({{0, 3, 3}}), paused);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(390));
    limits_.engine.host_time = Seconds{to_seconds(70)};
    limits_.engine.asynchronous = true;
    EXPECT_EQ(serve({{0, 3, 3}}), paused);
    limits_.engine.asynchronous = false;
    EXPECT_EQ(serve({{0, 3, 3}}), (std::vector<Step>{{0, 0, {{0, 3}}, 1}, {200, 1, {}, 2}}));
}

/// By SGLang's rules the second prompt is read as soon as it is there, alone; the first waits with its
/// tokens.
TEST_F(Schedule, PromptsComeFirst) {
    limits_.engine.scheduler = graph::Scheduler::sglang;
    const std::vector<Step> expected{
        {0, 0, {{0, 3}}, 1}, {100, 0, {{0, 4}}, 1}, {200, 2, {}, 1}, {300, 1, {}, 1}};
    EXPECT_EQ(serve({{0, 3, 3}, {50, 4, 2}}), expected);
    // 200 ticks from its first to its second token, then 100, and 100 of the other's.
    EXPECT_SOFT_EQ(outcome_.latency[2][0], to_seconds(400) / 3.0);
}

/// 40 tokens. Of the last two, one of 16 may generate 8 more, and one of 17, of which 16 are in host memory,
/// needs room for all of them and its own 8, beside the 8, of 24 that are free. It waits.
TEST_F(Schedule, WhatIsCopiedNeedsRoomLikeWhatIsComputed) {
    limits_.engine.scheduler = graph::Scheduler::sglang;
    limits_.engine.prefix_cache = true;
    limits_.engine.token_budget = 100;
    limits_.pages = 10;
    limits_.host_pages = 20;
    Requests requests = requests_with({{0, 16, 1}, {1'000, 40, 1}, {2'000, 16, 9}, {2'000, 17, 9}},
                                      {{0, 1, 2, 3}, {}, {4, 5, 6, 7}, {0, 1, 2, 3}});
    serve_all(requests);
    EXPECT_EQ(outcome_.copied_tokens, 16);
    EXPECT_EQ(outcome_.preemptions, 0);
}

/// 24 tokens. The first may generate 13 more after its prompt of 3: 0.7 of them (9) are kept, beside its
/// page; another of 4 and 9 would need 12 of 20 - 9 = 11, and waits; of 4 and 8 it is let in.
TEST_F(Schedule, ShareOfWhatMayComeIsKept) {
    limits_.engine.scheduler = graph::Scheduler::sglang;
    std::vector<Step> steps = serve({{0, 3, 14}, {50, 4, 9}});
    ASSERT_GE(steps.size(), 2U);
    EXPECT_EQ(steps[1].chunks.size(), 0U) << "decodes, as the other waits";
    steps = serve({{0, 3, 14}, {50, 4, 8}});
    EXPECT_EQ(steps[1].chunks.size(), 1U) << "reads the other";
}

/// It looks after three steps that decode: the other comes in the second of them, and is read after the
/// third.
TEST_F(Schedule, LooksForRequestsNowAndThen) {
    limits_.engine.scheduler = graph::Scheduler::sglang;
    limits_.engine.receive_every = 3;
    const std::vector<Step> expected{
        {0, 0, {{0, 3}}, 1}, {100, 1, {}, 1}, {200, 1, {}, 2}, {400, 0, {{0, 4}}, 1}, {500, 2, {}, 1}};
    EXPECT_EQ(serve({{0, 3, 5}, {250, 4, 2}}), expected);
    EXPECT_SOFT_EQ(outcome_.latency[ttft][4], to_seconds(100) + 0.99 * to_seconds(150));
}

/// The second prompt waits two steps for others; the third makes seven of eight tokens with it and the one
/// that decodes, which is enough.
TEST_F(Schedule, PromptsWaitForOthers) {
    limits_.engine.scheduler = graph::Scheduler::tensorrt;
    limits_.engine.hold_steps = 2;
    limits_.engine.hold_share = 0.8;
    const std::vector<Step> alone{
        {0, 0, {{0, 3}}, 1}, {100, 1, {}, 1}, {200, 1, {}, 1}, {300, 1, {{0, 3}}, 1}};
    EXPECT_EQ(serve({{0, 3, 4}, {50, 3, 1}}), alone);
    const std::vector<Step> together{
        {0, 0, {{0, 3}}, 1}, {100, 1, {}, 1}, {200, 1, {{0, 3}, {0, 3}}, 1}, {300, 1, {}, 1}};
    EXPECT_EQ(serve({{0, 3, 4}, {50, 3, 1}, {150, 3, 1}}), together);
}

/// The prompt of adapter 1 has no place until adapter 0 leaves it, and neither waits for others nor makes
/// more of the prompt of adapter 0, which does wait for two steps.
TEST_F(Schedule, PromptsWithoutAPlaceWaitForNoOthers) {
    limits_.adapters = 2;
    limits_.engine.scheduler = graph::Scheduler::tensorrt;
    limits_.engine.hold_steps = 2;
    limits_.engine.hold_share = 0.8;
    std::vector<Request> requests{{0, 3, 6}, {50, 3, 1}, {250, 3, 1}};
    requests[1].adapter = 1;
    const std::vector<Step> expected{{0, 0, {{0, 3}}, 1}, {100, 1, {}, 2},       {300, 1, {}, 1},
                                     {400, 1, {}, 1},     {500, 1, {{0, 3}}, 1}, {600, 0, {{0, 3}}, 1}};
    EXPECT_EQ(serve(requests), expected);
}

/// A prompt of which 3 tokens are left counts as the 10 that it has, which is enough.
TEST_F(Schedule, WholePromptsCountAgainstWaiting) {
    limits_.engine.scheduler = graph::Scheduler::tensorrt;
    limits_.engine.hold_steps = 2;
    const std::vector<Step> expected{{0, 0, {{0, 1}, {0, 7}}, 1}, {100, 1, {{7, 3}}, 1}, {200, 1, {}, 2}};
    EXPECT_EQ(serve({{0, 1, 4}, {0, 10, 1}}), expected);
}

Request of_priority(std::int32_t priority, Request request) {
    request.priority = priority;
    return request;
}

/// One place: the third passes the second.
TEST_F(Schedule, RequestsEnterByPriority) {
    limits_.engine.max_sequences = 1;
    const std::vector<Request> three{{0, 4, 1}, of_priority(1, {0, 4, 1}), {50, 4, 1}};
    serve(three);
    EXPECT_SOFT_EQ(outcome_.latency[ttft][0], to_seconds(100 + 200 + 250) / 3.0);
    limits_.engine.scheduling_policy = graph::SchedulingPolicy::priority;
    serve(three);
    EXPECT_SOFT_EQ(outcome_.latency[ttft][0], to_seconds(100 + 300 + 150) / 3.0);
}

/// At 500 the first needs a fourth page and the cache has none. By priority it is not the second, admitted
/// last, that is preempted, but the first, which begins again at 900 with the 5 tokens that it has.
TEST_F(Schedule, PreemptsByPriority) {
    limits_.engine.token_budget = 100;
    limits_.engine.scheduling_policy = graph::SchedulingPolicy::priority;
    const std::vector<Step> expected{{0, 0, {{0, 8}}, 1}, {100, 1, {{0, 8}}, 1}, {200, 2, {}, 3},
                                     {500, 1, {}, 1},     {600, 1, {}, 3},       {900, 0, {{0, 13}}, 1},
                                     {1000, 1, {}, 2}};
    EXPECT_EQ(serve({of_priority(1, {0, 8, 8}), {50, 8, 8}}), expected);
    EXPECT_EQ(outcome_.preemptions, 1);
}

/// The second has 5 pages to fill with its prompt of 20. At 200 the first has just taken its third page, and
/// gives all three back: the second reads its last 9 tokens, and the first its 7 and 2 again.
TEST_F(Schedule, PromptsPreemptByPriority) {
    limits_.engine.token_budget = 12;
    limits_.engine.scheduling_policy = graph::SchedulingPolicy::priority;
    const std::vector<Step> expected{{0, 0, {{0, 7}}, 1},
                                     {100, 1, {{0, 11}}, 1},
                                     {200, 0, {{11, 9}}, 1},
                                     {300, 0, {{0, 9}}, 1},
                                     {400, 1, {}, 5}};
    EXPECT_EQ(serve({of_priority(1, {0, 7, 8}), {50, 20, 1}}), expected);
}

Request of_kind(std::uint8_t kind, Request request) {
    request.kind = kind;
    return request;
}

graph::RequestPatience patience_of(Ticks first_token, Ticks whole) {
    return {Seconds{to_seconds(first_token)}, Seconds{to_seconds(whole)}};
}

/// The client of the second waits for 150 ticks, which the scheduler sees when the step under way ends,
/// whatever its rules; the third takes its place.
TEST_F(Schedule, ClientsGiveUpWhileTheyWait) {
    limits_.engine.max_sequences = 1;
    limits_.patience = {{}, patience_of(150, 0)};
    const std::vector<Step> expected{
        {0, 0, {{0, 4}}, 1}, {100, 1, {}, 1}, {200, 1, {}, 2}, {400, 0, {{0, 4}}, 1}};
    for (const graph::Scheduler scheduler : {graph::Scheduler::vllm, graph::Scheduler::tensorrt}) {
        limits_.engine.scheduler = scheduler;
        EXPECT_EQ(serve({{0, 4, 4}, of_kind(1, {0, 4, 1}), {0, 4, 1}}), expected);
        EXPECT_EQ(outcome_.answered, 2);
        EXPECT_EQ(outcome_.gave_up, 1);
        EXPECT_EQ(outcome_.lost, 1);
    }
    limits_.engine.scheduler = graph::Scheduler::vllm;
    limits_.engine.scheduling_policy = graph::SchedulingPolicy::priority;
    EXPECT_EQ(serve({{0, 4, 4}, of_kind(1, {0, 4, 1}), {0, 4, 1}}), expected);
}

/// The first is dropped in the middle of its answer, and its place is free.
TEST_F(Schedule, ClientsGiveUpWhileTheyAreAnswered) {
    limits_.engine.max_sequences = 1;
    limits_.patience = {patience_of(0, 350), {}};
    const std::vector<Step> expected{{0, 0, {{0, 4}}, 1}, {100, 1, {}, 3}, {400, 0, {{0, 4}}, 1}};
    for (const std::int64_t clients : {0, 1}) {
        EXPECT_EQ(serve({{0, 4, 10}, of_kind(1, {0, 4, 1})}, clients), expected);
        EXPECT_EQ(outcome_.answered, 1);
        EXPECT_EQ(outcome_.gave_up, 1);
        EXPECT_SOFT_EQ(outcome_.latency[ttft][0], to_seconds(clients == 1 ? 100 : 500));
    }
    limits_.engine.scheduler = graph::Scheduler::sglang;
    serve({{0, 4, 10}, of_kind(1, {0, 4, 1})});
    EXPECT_EQ(outcome_.gave_up, 1);
    EXPECT_SOFT_EQ(outcome_.duration, to_seconds(500));
}

/// All of an answer is there, but its client is not.
TEST_F(Schedule, AnswersThatComeTooLateCountForNothing) {
    limits_.patience = {patience_of(50, 0)};
    serve({{0, 4, 1}});
    EXPECT_EQ(outcome_.answered, 0);
    EXPECT_EQ(outcome_.gave_up, 1);
}

/// At 500 the second is preempted; the client gives up before it can begin again.
TEST_F(Schedule, ClientsGiveUpAfterPreemption) {
    limits_.engine.token_budget = 100;
    limits_.patience = {{}, patience_of(0, 620)};
    const std::vector<Step> expected{
        {0, 0, {{0, 8}, {0, 8}}, 1}, {100, 2, {}, 4}, {500, 1, {}, 1}, {600, 1, {}, 1}, {700, 1, {}, 1}};
    EXPECT_EQ(serve({{0, 8, 8}, of_kind(1, {0, 8, 8})}), expected);
    EXPECT_EQ(outcome_.preemptions, 1);
    EXPECT_EQ(outcome_.gave_up, 1);
}

/// The second waits for a place for its adapter; the fourth names the same, and enters instead when it can.
TEST_F(Schedule, ClientsGiveUpWhoseAdapterHasNoPlace) {
    limits_.adapters = 2;
    limits_.patience = {{}, patience_of(150, 0)};
    std::vector<Request> four{{0, 4, 3}, of_kind(1, {0, 4, 1}), {0, 4, 1}, {0, 4, 1}};
    four[1].adapter = four[3].adapter = 1;
    const std::vector<Step> expected{
        {0, 0, {{0, 4}, {0, 4}}, 1}, {100, 1, {}, 1}, {200, 1, {}, 1}, {300, 0, {{0, 4}}, 1}};
    EXPECT_EQ(serve(four), expected);
    EXPECT_EQ(outcome_.gave_up, 1);
}

}  // namespace
}  // namespace dse::serving
