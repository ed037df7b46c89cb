// Also tests: pool_meter.cpp, pool_workers.cpp, unfit.cpp
#include "dse/serving/pools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "serving/flat_costs.hpp"
#include "serving/requests_with.hpp"
#include "serving/unfit.hpp"
#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

/// Steps of 1 s that read, of 0.1 s that generate, and 0.5 s between the pools.
class TwoPools : public ::testing::Test {
  protected:
    TwoPools() {
        for (ReplicaLimits* limits : {&deployment_.prefill, &deployment_.decode}) {
            limits->pages = 8;
            limits->page_tokens = 4;
            limits->engine.token_budget = 8;
            limits->engine.max_sequences = 4;
        }
        deployment_.transfer = [](std::int64_t /*tokens*/, Ticks /*reading*/) { return to_ticks(0.5); };
    }

    Outcome serve(std::vector<Request> all) {
        FlatCosts reading{to_ticks(1.0)};
        FlatCosts generating{to_ticks(0.1)};
        Requests requests;
        requests.all = std::move(all);
        return serve_pools(deployment_, reading, generating, requests, {});
    }

    PoolDeployment deployment_;
};

/// A prompt of 8 tokens is a step; its answer of 3 begins 0.5 s later and has 2 steps more.
TEST_F(TwoPools, CachesGoFromOneToTheOther) {
    Outcome outcome = serve({{0, 8, 3}});
    EXPECT_SOFT_EQ(outcome.latency[0][0], 1.0);
    EXPECT_NEAR(outcome.latency[3][0], 1.7, 1e-9);
    EXPECT_NEAR(outcome.latency[1][0], 0.35, 1e-9) << "the way lies between the first two tokens";
    deployment_.first_token_waits = true;
    outcome = serve({{0, 8, 3}});
    EXPECT_SOFT_EQ(outcome.latency[0][0], 1.5);
    EXPECT_NEAR(outcome.latency[1][0], 0.1, 1e-9);
}

/// Two equal prompts of two pieces: the second finds the first piece, and reads the other, since a step needs
/// a token at least. By turns it comes to the other worker, which has read nothing.
TEST_F(TwoPools, PrefillWorkersKeepPrefixes) {
    deployment_.prefill.engine.prefix_cache = true;
    deployment_.prefill_workers = 2;
    FlatCosts costs{to_ticks(1.0)};
    for (const graph::Router router :
         {graph::Router::prefix, graph::Router::session, graph::Router::round_robin}) {
        deployment_.prefill.engine.router = router;
        Requests requests;
        requests.all = {{0, 8, 1}, {to_ticks(2.0), 8, 1}};
        requests.first_piece = {0, 2, 4};
        requests.pieces = {0, 1, 0, 1};
        requests.piece_names = 2;
        requests.piece_tokens = 4;
        const Outcome outcome = serve_pools(deployment_, costs, costs, requests, {});
        EXPECT_EQ(outcome.cached_tokens, router == graph::Router::round_robin ? 0 : 4);
        EXPECT_EQ(outcome.admitted_tokens, 16);
    }
}

/// The second prompt takes the two pages of the first. The third, equal to the first, copies one of its
/// pieces from host memory, since a step needs a token at least: 4 tokens in 0.4 s.
TEST_F(TwoPools, PrefillWorkersCopyFromHostMemory) {
    ReplicaLimits& prefill = deployment_.prefill;
    prefill.engine.prefix_cache = true;
    prefill.pages = 2;
    prefill.host_pages = 4;
    prefill.copy_time = 0.1;
    FlatCosts costs{to_ticks(1.0)};
    Requests requests =
        requests_with({{0, 8, 1}, {to_ticks(2.0), 8, 1}, {to_ticks(4.0), 8, 1}}, {{0, 1}, {2, 3}, {0, 1}});
    const Outcome outcome = serve_pools(deployment_, costs, costs, requests, {});
    EXPECT_EQ(outcome.cached_tokens, 4);
    EXPECT_EQ(outcome.copied_tokens, 4);
    EXPECT_SOFT_EQ(outcome.duration, 5.4);
}

/// Two steps of a prompt of 9 tokens, and 10 s once for kernels that continue prompts.
TEST_F(TwoPools, PrefillWorkersWaitOnceForKernels) {
    deployment_.prefill.engine.first_chunk_time = Seconds{10.0};
    const Outcome outcome = serve({{0, 9, 1}, {to_ticks(20.0), 9, 1}});
    EXPECT_SOFT_EQ(outcome.latency[0][0], (12.0 + 2.0) / 2.0);
}

/// Two that arrive together are accepted after 2 · 0.25 s, their prompts of 4 tokens tokenized side by side
/// in 0.5 s, and 0.25 s later they are read together. A third, sent meanwhile, is accepted after them, but is
/// tokenized sooner.
TEST_F(TwoPools, TheFrontEndAcceptsTogetherAndTokenizesSideBySide) {
    deployment_.prefill.engine.accept_time = Seconds{0.25};
    deployment_.prefill.engine.tokenize_time = Seconds{0.125};
    deployment_.prefill.engine.request_time = Seconds{0.25};
    EXPECT_SOFT_EQ(serve({{0, 4, 1}, {0, 4, 1}}).duration, 0.5 + 0.5 + 0.25 + 1.0);
    deployment_.prefill_workers = 3;
    deployment_.keeps_course = true;
    const Outcome outcome = serve({{0, 4, 1}, {0, 4, 1}, {to_ticks(0.125), 1, 1}});
    ASSERT_EQ(outcome.requests.size(), 3U);
    EXPECT_EQ(outcome.requests[2].first_token, to_ticks(0.5 + 0.25 + 0.125 + 0.25 + 1.0));
    EXPECT_SOFT_EQ(outcome.duration, 2.25);
}

/// The third prompt would fit into the second step, but this was composed when the first began.
TEST_F(TwoPools, WorkersComposeTheNextStepWhenOneBegins) {
    const std::vector<Request> three{{0, 8, 1}, {0, 4, 1}, {to_ticks(0.5), 4, 1}};
    EXPECT_SOFT_EQ(serve(three).duration, 2.0);
    deployment_.prefill.engine.asynchronous = true;
    EXPECT_SOFT_EQ(serve(three).duration, 3.0);
    EXPECT_SOFT_EQ(serve({three[0], three[2]}).duration, 2.0) << "nobody else waited";
    deployment_.prefill.engine.scheduler = graph::Scheduler::tensorrt;
    EXPECT_SOFT_EQ(serve(three).duration, 2.0);
}

/// The first worker reads 8 tokens in two steps of 4; by turns, the third request would wait for it.
TEST_F(TwoPools, RouterSendsToTheLeastLoaded) {
    deployment_.prefill.engine.token_budget = 4;
    deployment_.prefill_workers = 2;
    const std::vector<Request> three{{0, 8, 1}, {0, 4, 1}, {to_ticks(1.0), 4, 1}};
    EXPECT_SOFT_EQ(serve(three).duration, 3.0);
    deployment_.prefill.engine.router = graph::Router::least_loaded;
    EXPECT_SOFT_EQ(serve(three).duration, 2.0);
}

/// While the first is read, the third passes the second, in both pools.
TEST_F(TwoPools, RequestsWaitByPriority) {
    deployment_.keeps_course = true;
    std::vector<Request> three(3, Request{0, 8, 3});
    three[1].priority = 1;
    EXPECT_EQ(serve(three).requests[1].first_token, to_ticks(2.0));
    for (ReplicaLimits* limits : {&deployment_.prefill, &deployment_.decode})
        limits->engine.scheduling_policy = graph::SchedulingPolicy::priority;
    const Outcome outcome = serve(three);
    ASSERT_EQ(outcome.requests.size(), 3U);
    EXPECT_EQ(outcome.requests[1].request.priority, 0) << "answered before the other";
    EXPECT_EQ(outcome.requests[1].first_token, to_ticks(2.0));
    EXPECT_EQ(outcome.requests[2].first_token, to_ticks(3.0));
}

/// Clients wait for 1.5 s. The second prompt has been read after 2 s, when the third has been given up as
/// well.
TEST_F(TwoPools, ClientsGiveUpInThePrefillPool) {
    deployment_.prefill.patience = {{Seconds{1.5}, Seconds{}}};
    const Outcome outcome = serve(std::vector<Request>(3, Request{0, 8, 2}));
    EXPECT_EQ(outcome.answered, 1);
    EXPECT_EQ(outcome.gave_up, 2);
    EXPECT_EQ(outcome.steps, 2 + 1);
    EXPECT_SOFT_EQ(outcome.latency[0][0], 1.0);
}

/// The last token would come after 1.7 s; after the step that ends at 1.6 s the client is gone.
TEST_F(TwoPools, ClientsGiveUpInTheDecodePool) {
    deployment_.prefill.patience = {{Seconds{}, Seconds{1.55}}, {}};
    std::vector<Request> two(2, Request{0, 8, 3});
    two[1].kind = 1;
    const Outcome outcome = serve(two);
    EXPECT_EQ(outcome.gave_up, 1);
    EXPECT_EQ(outcome.answered, 1);
    EXPECT_EQ(outcome.steps, 2 + 1 + 2);
    EXPECT_SOFT_EQ(outcome.context, (9.0 + 9.0 + 10.0) / 3.0) << "what was given up is read no more";
}

/// The second cache arrives when the first request has its answer. A step reads the prompt and what has been
/// generated of those that it decodes: 9 and 10 tokens.
TEST_F(TwoPools, AnsweredRequestsAreReadNoMore) {
    const Outcome outcome = serve(std::vector<Request>(2, Request{0, 8, 3}));
    EXPECT_SOFT_EQ(outcome.decoding, 1.0);
    EXPECT_SOFT_EQ(outcome.context, 9.5);
}

/// 0.04 s for each token. Two prompts, read after 1 and 2 s, have their first tokens 0.04 s later. Their
/// caches arrive after 1.5 and 2.5 s, so that answers of 3 end after 1.7 and 2.7 s, and reach their clients
/// 0.04 s later; the client of the first, who sends a third, waited for that.
TEST_F(TwoPools, TokensAreSentOneAfterAnother) {
    for (ReplicaLimits* limits : {&deployment_.prefill, &deployment_.decode})
        limits->engine.send_time = Seconds{0.04};
    deployment_.keeps_course = true;
    deployment_.clients = 2;
    const Outcome outcome = serve(std::vector<Request>(3, Request{0, 8, 3}));
    ASSERT_EQ(outcome.requests.size(), 3U);
    EXPECT_NEAR(to_seconds(outcome.requests[0].first_token), 1.04, 1e-9);
    EXPECT_NEAR(to_seconds(outcome.requests[0].last_token), 1.74, 1e-9);
    EXPECT_NEAR(to_seconds(outcome.requests[1].last_token), 2.74, 1e-9);
    EXPECT_NEAR(to_seconds(outcome.requests[2].request.arrival), 1.74, 1e-9);
    EXPECT_NEAR(outcome.duration, 3.74, 1e-9) << "read from 2 to 3 s, and answered from 3.5 s on";
}

TEST_F(TwoPools, OfMoreClientsThanRequestsSomeSendNothing) {
    deployment_.clients = std::int64_t{1} << 50;
    EXPECT_EQ(serve(std::vector<Request>(2, Request{0, 8, 3})).answered, 2);
}

/// First tokens take 10 s each, and are there after 11 and 21 s; by then all others are made. They do not
/// overtake the first, but arrive with it.
TEST_F(TwoPools, TokensDoNotOvertakeTheFirst) {
    deployment_.prefill.engine.send_time = Seconds{10.0};
    deployment_.keeps_course = true;
    deployment_.clients = 2;
    const Outcome outcome = serve(std::vector<Request>(2, Request{0, 8, 3}));
    ASSERT_EQ(outcome.requests.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(to_seconds(outcome.requests[i].first_token), i == 0 ? 11.0 : 21.0, 1e-9);
        EXPECT_EQ(outcome.requests[i].last_token, outcome.requests[i].first_token);
    }
    EXPECT_NEAR(outcome.duration, 21.0, 1e-9);
    EXPECT_EQ(outcome.latency[1][0], 0.0);
    EXPECT_EQ(outcome.latency[2][0], 0.0);
}

/// An answer takes 1.7 s, and the next request comes 3 s later.
TEST_F(TwoPools, ClientsGoOnWithTheirConversations) {
    deployment_.clients = 1;
    FlatCosts reading{to_ticks(1.0)};
    FlatCosts generating{to_ticks(0.1)};
    Requests requests;
    requests.all.resize(3, Request{0, 8, 3});
    requests.pauses = {never, to_ticks(3.0), never};
    const Outcome outcome = serve_pools(deployment_, reading, generating, requests, {});
    EXPECT_EQ(outcome.answered, 3);
    EXPECT_NEAR(to_seconds(requests.all[1].arrival), 4.7, 1e-9);
    EXPECT_NEAR(to_seconds(requests.all[2].arrival), 6.4, 1e-9);
    EXPECT_NEAR(outcome.duration, 8.1, 1e-9);
}

/// The second conversation begins with its second request, and the third one goes on without its second.
TEST(TakeOutUnfit, ConversationsGoOn) {
    Requests requests;
    for (const std::int32_t prompt : {1, 9, 2, 3, 9, 4}) requests.all.push_back({0, prompt, 1});
    requests.pauses = {never, never, 20, never, 30, 40};
    const auto fits = [](const Request& request) { return request.prompt < 9; };
    EXPECT_EQ(take_out_unfit(requests, fits), 2);
    EXPECT_EQ(requests.pauses, (std::vector<Ticks>{never, never, never, 40}));
    EXPECT_EQ(requests.all[3].prompt, 4);
}

/// The last token is made after 1.7 s, and would arrive after 1.74 s; the client leaves after 1.72 s.
TEST_F(TwoPools, ClientsLeaveWhileTheirLastTokenIsOnItsWay) {
    for (ReplicaLimits* limits : {&deployment_.prefill, &deployment_.decode})
        limits->engine.send_time = Seconds{0.04};
    deployment_.prefill.patience = {{Seconds{}, Seconds{1.72}}, {}};
    deployment_.keeps_course = true;
    deployment_.clients = 1;
    std::vector<Request> two(2, Request{0, 8, 3});
    two[1].kind = 1;
    const Outcome outcome = serve(two);
    EXPECT_EQ(outcome.gave_up, 1);
    ASSERT_EQ(outcome.requests.size(), 1U);
    EXPECT_NEAR(to_seconds(outcome.requests[0].request.arrival), 1.72, 1e-9);
}

TEST_F(TwoPools, WorkersNeitherFailNorStop) {
    deployment_.prefill.engine.router = graph::Router::least_loaded;
    deployment_.prefill.engine.least_replicas = 1;
    EXPECT_THROW(serve({{0, 8, 1}}), ModelError);
    deployment_.prefill.engine.least_replicas = 0;
    deployment_.prefill.engine.failure_interval = Seconds{1.0};
    EXPECT_THROW(serve({{0, 8, 1}}), ModelError);
}

/// Both caches arrive after 1.5 s. The decode worker has one place, which the first request leaves after two
/// steps of 0.1 s.
TEST_F(TwoPools, FirstTokensWaitForAPlace) {
    deployment_.prefill_workers = 2;
    deployment_.decode.engine.max_sequences = 1;
    deployment_.first_token_waits = true;
    EXPECT_NEAR(serve({{0, 8, 3}, {0, 8, 3}}).latency[0][0], 0.5 * (1.5 + 1.7), 1e-9);
    deployment_.first_token_waits = false;
    EXPECT_SOFT_EQ(serve({{0, 8, 3}, {0, 8, 3}}).latency[0][0], 1.0);
}

/// The second prompt arrives at a rank without work, and waits for the step of the other; the third waits for
/// the first rank.
TEST_F(TwoPools, RanksStepTogether) {
    deployment_.prefill.engine.attention_dp = 2;
    const Outcome outcome = serve({{0, 8, 1}, {to_ticks(0.5), 8, 1}, {to_ticks(0.5), 8, 1}});
    EXPECT_NEAR(outcome.latency[0][0], (1.0 + 1.5 + 1.5) / 3.0, 1e-9);
    EXPECT_EQ(outcome.steps, 2);
}

/// Three prompts of a step each on two ranks. In turns, the third waits for the first. Seed 0 draws the ranks
/// 1, 0 and 1, seed 1 the rank 0 three times (SplitMix64), so that one prompt follows the other.
TEST_F(TwoPools, RanksAreDrawn) {
    deployment_.prefill.engine.attention_dp = 2;
    const std::vector<Request> three(3, Request{0, 8, 1});
    EXPECT_NEAR(serve(three).latency[0][0], (1.0 + 1.0 + 2.0) / 3.0, 1e-9);
    deployment_.rank_seed = 0;
    EXPECT_NEAR(serve(three).latency[0][0], (1.0 + 1.0 + 2.0) / 3.0, 1e-9);
    deployment_.rank_seed = 1;
    const Outcome outcome = serve(three);
    EXPECT_NEAR(outcome.latency[0][0], (1.0 + 2.0 + 3.0) / 3.0, 1e-9);
    EXPECT_EQ(outcome.steps, 3);
}

/// Both answers are generated by ranks of one worker, in steps from 1.5 s on. The second cache arrives at
/// 1.75 s, in the middle of a step of the first, and waits for its end.
TEST_F(TwoPools, DecodeRanksStepTogether) {
    deployment_.prefill_workers = 2;
    const std::vector<Request> two{{0, 8, 20}, {to_ticks(0.25), 8, 2}};
    deployment_.decode_workers = 2;
    const double apart = serve(two).latency[3][0];
    deployment_.decode_workers = 1;
    deployment_.decode_ranks = 2;
    const double together = serve(two).latency[3][0];
    EXPECT_NEAR(2.0 * (together - apart), 0.05, 1e-9);
    EXPECT_EQ(serve(two).steps, 2 + 19 + 1) << "a rank without requests has no step of its own";
}

/// Two prompts one after the other at one worker, side by side at two.
TEST_F(TwoPools, WorkersTakeTurns) {
    const std::vector<Request> two(2, Request{0, 8, 1});
    EXPECT_SOFT_EQ(serve(two).latency[0][0], 1.5);
    deployment_.prefill_workers = 2;
    EXPECT_SOFT_EQ(serve(two).latency[0][0], 1.0);
}

/// Four pages of eight for each to its end (8 + 9 - 1 tokens): two at once, the third when they are done.
TEST_F(TwoPools, CachesWaitForPages) {
    deployment_.prefill_workers = 3;
    const Outcome outcome = serve(std::vector<Request>(3, Request{0, 8, 9}));
    EXPECT_NEAR(outcome.duration, 1.5 + 2 * 0.8, 1e-9);
    EXPECT_EQ(outcome.answered, 3);
    EXPECT_NEAR(outcome.most_cache_use, 1.0, 1e-12);
}

TEST_F(TwoPools, WhatNeverFitsIsRefused) {
    const Outcome outcome = serve({{0, 8, 26}, {0, 8, 2}});
    EXPECT_EQ(outcome.refused, 1);
    EXPECT_EQ(outcome.answered, 1);
    deployment_.decode.engine.max_sequences = 9;
    EXPECT_THROW(serve({{0, 8, 2}}), ModelError);
}

/// One of two prefill workers steps for 1 s of 1.7 s, with a prompt of 8 tokens in 2 of its 8 pages; the
/// decode worker steps twice for 0.1 s, with 3 pages (8 + 3 - 1 tokens) of 8.
TEST_F(TwoPools, EachHasItsUse) {
    deployment_.prefill_workers = 2;
    const Outcome outcome = serve({{0, 8, 3}});
    ASSERT_TRUE(outcome.prefill && outcome.decode);
    EXPECT_NEAR(outcome.prefill->utilization, 1.0 / 1.7 / 2.0, 1e-9);
    EXPECT_NEAR(outcome.prefill->cache_use, 0.25 / 1.7 / 2.0, 1e-9);
    EXPECT_SOFT_EQ(outcome.prefill->most_cache_use, 0.25);
    EXPECT_EQ(outcome.prefill->most_waiting, 0);
    EXPECT_NEAR(outcome.decode->utilization, 0.2 / 1.7, 1e-9);
    EXPECT_NEAR(outcome.decode->cache_use, 0.2 * 0.375 / 1.7, 1e-9);
    EXPECT_SOFT_EQ(outcome.decode->most_cache_use, 0.375);
}

/// Two prefill workers are 0 and 1, and the decode worker is 2; a single token needs no decode worker.
TEST_F(TwoPools, WorkersAreCountedFromThePrefillPoolOn) {
    deployment_.prefill_workers = 2;
    deployment_.keeps_course = true;
    const Outcome outcome = serve({{0, 8, 3}, {1, 8, 1}});
    ASSERT_EQ(outcome.requests.size(), 2U);
    EXPECT_EQ(outcome.requests[0].replica, 2U);
    EXPECT_EQ(outcome.requests[1].replica, 1U);
    EXPECT_EQ(outcome.requests[0].first_token, to_ticks(1.0));
    EXPECT_NEAR(to_seconds(outcome.requests[0].last_token), 1.7, 1e-9);
}

/// Three prompts at one prefill worker: two wait for 1 s, then one for 1 s. Each cache waits for nobody.
TEST_F(TwoPools, QueuesAreThoseOfTheirPools) {
    const Outcome outcome = serve(std::vector<Request>(3, Request{0, 8, 2}));
    ASSERT_TRUE(outcome.prefill && outcome.decode);
    EXPECT_NEAR(outcome.duration, 3.6, 1e-9);
    EXPECT_NEAR(outcome.prefill->waiting, 3.0 / 3.6, 1e-9);
    EXPECT_EQ(outcome.prefill->most_waiting, 2);
    EXPECT_EQ(outcome.decode->waiting, 0.0);
    EXPECT_NEAR(outcome.waiting, outcome.prefill->waiting, 1e-9);
}

/// A prompt of 16 tokens is read in two chunks of 8 tokens: 2 pages, then 4, of the 8 of each of two ranks.
TEST_F(TwoPools, ChunksStayInTheCacheUntilTheirPromptIsRead) {
    deployment_.prefill.engine.attention_dp = 2;
    const Outcome outcome = serve({{0, 16, 1}});
    ASSERT_TRUE(outcome.prefill);
    EXPECT_NEAR(outcome.prefill->cache_use, (2.0 + 4.0) / 2.0 / 16.0, 1e-9);
    EXPECT_SOFT_EQ(outcome.prefill->most_cache_use, 0.25);
    EXPECT_SOFT_EQ(outcome.prefill->utilization, 1.0);
}

/// One client: its second request is sent when the first is answered, 1.7 s and then again.
TEST_F(TwoPools, ClientsWaitForAnswers) {
    deployment_.clients = 1;
    const Outcome outcome = serve({{0, 8, 3}, {0, 8, 3}});
    EXPECT_NEAR(outcome.duration, 3.4, 1e-9);
    EXPECT_SOFT_EQ(outcome.latency[0][0], 1.0);
}

}  // namespace
}  // namespace dse::serving
