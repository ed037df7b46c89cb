#include "dse/serving/deployment.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/serving/draw_requests.hpp"
#include "serving/flat_costs.hpp"
#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

Deployment small_deployment(std::int64_t replicas) {
    Deployment deployment;
    deployment.limits.pages = 4;
    deployment.limits.page_tokens = 4;
    deployment.limits.engine.token_budget = 16;
    deployment.limits.engine.max_sequences = 1;
    deployment.replicas = replicas;
    return deployment;
}

Outcome serve_flat(const Deployment& deployment, std::vector<Request> all) {
    FlatCosts costs{to_ticks(1.0)};
    Requests requests;
    requests.all = std::move(all);
    return serve(deployment, costs, requests, {});
}

/// Four at once, one after another of a second each: the last of one replica has its token after 4 s, of two
/// after 2.
TEST(Deployment, ReplicasTakeTurns) {
    const std::vector<Request> four(4, Request{0, 4, 1});
    const Outcome one = serve_flat(small_deployment(1), four);
    EXPECT_SOFT_EQ(one.duration, 4.0);
    EXPECT_SOFT_EQ(one.latency[0][0], 2.5);
    const Outcome two = serve_flat(small_deployment(2), four);
    EXPECT_SOFT_EQ(two.duration, 2.0);
    EXPECT_SOFT_EQ(two.latency[0][0], 1.5);
    EXPECT_SOFT_EQ(two.running, 2.0);
    EXPECT_EQ(two.answered, 4);
}

/// By turns and by a router, with numbers from 0.
TEST(Deployment, RequestsHaveTheirReplica) {
    for (const graph::Router router : {graph::Router::round_robin, graph::Router::least_loaded}) {
        Deployment deployment = small_deployment(2);
        deployment.limits.engine.router = router;
        deployment.keeps_course = true;
        const Outcome outcome = serve_flat(deployment, {{0, 4, 1}, {1, 4, 1}, {to_ticks(9.0), 4, 1}});
        ASSERT_EQ(outcome.requests.size(), 3U);
        EXPECT_EQ(outcome.requests[0].replica, 0U);
        EXPECT_EQ(outcome.requests[1].replica, 1U);
        EXPECT_EQ(outcome.requests[2].last_token, to_ticks(10.0));
    }
}

/// With more replicas than clients some have nothing to do, and all requests are answered.
TEST(Deployment, ClientsStayWithTheirReplica) {
    Deployment deployment = small_deployment(4);
    deployment.clients = 3;
    const Outcome outcome = serve_flat(deployment, std::vector<Request>(9, Request{0, 4, 1}));
    EXPECT_EQ(outcome.answered, 9);
    EXPECT_SOFT_EQ(outcome.duration, 3.0);
    EXPECT_SOFT_EQ(outcome.running, 3.0);
}

/// Steps of a second, one request each. The client of the first conversation comes back 5 s after its answer,
/// when the other has begun the third one.
TEST(Deployment, ClientsGoOnWithTheirConversations) {
    const auto serve_chats = [](std::int64_t replicas) {
        Deployment deployment = small_deployment(replicas);
        deployment.clients = 2;
        deployment.keeps_course = true;
        FlatCosts costs{to_ticks(1.0)};
        Requests requests;
        for (const std::int32_t prompt : {4, 9, 5, 6}) requests.all.push_back({0, prompt, 1});
        requests.pauses = {never, to_ticks(5.0), never, never};
        const Outcome outcome = serve(deployment, costs, requests, {});
        EXPECT_EQ(outcome.answered, 4);
        std::vector<std::pair<std::int32_t, double>> sent;  // tokens and time
        for (const auto& one : outcome.requests)
            sent.emplace_back(one.request.prompt, to_seconds(one.request.arrival));
        std::ranges::sort(sent);
        return std::pair{sent, outcome.duration};
    };
    using ::testing::ElementsAre;
    using ::testing::Pair;
    EXPECT_THAT(serve_chats(1),
                Pair(ElementsAre(Pair(4, 0.0), Pair(5, 0.0), Pair(6, 2.0), Pair(9, 6.0)), 7.0));
    // Conversations take turns among replicas: the third one waits for the first.
    EXPECT_THAT(serve_chats(2),
                Pair(ElementsAre(Pair(4, 0.0), Pair(5, 0.0), Pair(6, 7.0), Pair(9, 6.0)), 8.0));
}

/// Two pauses of 58 days: no run may last that long.
TEST(Deployment, PausesBeyondTheLongestRunAreRefused) {
    Deployment deployment = small_deployment(1);
    deployment.clients = 1;
    FlatCosts costs{to_ticks(1.0)};
    Requests requests;
    requests.all.resize(3, Request{0, 4, 1});
    requests.pauses = {never, to_ticks(5e6), to_ticks(5e6)};
    EXPECT_THROW(serve(deployment, costs, requests, {}), ModelError);
}

/// 16 tokens have room; the last that is generated needs none.
TEST(Deployment, RefusesWhatCannotFitAlone) {
    const Outcome outcome = serve_flat(small_deployment(1), {{0, 16, 1}, {0, 16, 2}, {0, 100, 1}});
    EXPECT_EQ(outcome.answered, 1);
    EXPECT_EQ(outcome.refused, 2);
    ReplicaLimits limits = small_deployment(1).limits;
    EXPECT_TRUE(fits_alone(limits, {0, 10, 7}));
    EXPECT_FALSE(fits_alone(limits, {0, 10, 8}));
    limits.state_pages = 1;
    EXPECT_FALSE(fits_alone(limits, {0, 10, 7})) << "nor do its tokens beside its state";
    limits.state_pages = 0;
    limits.engine.chunked_prefill = false;
    limits.engine.token_budget = 12;
    EXPECT_FALSE(fits_alone(limits, {0, 10, 7})) << "16 tokens may have to be read again at once";
}

/// What is taken out takes the names of its pieces along: the third finds those of the first.
TEST(Deployment, PiecesStayWithTheirRequests) {
    FlatCosts costs{to_ticks(1.0)};
    Requests requests;
    requests.all = {{0, 9, 1}, {0, 100, 1}, {0, 9, 1}};
    requests.first_piece = {0, 2, 4, 6};
    requests.pieces = {0, 1, 2, 3, 0, 1};
    requests.piece_names = 4;
    requests.piece_tokens = 4;
    Deployment deployment = small_deployment(1);
    deployment.limits.engine.prefix_cache = true;
    const Outcome outcome = serve(deployment, costs, requests, {});
    EXPECT_EQ(outcome.refused, 1);
    EXPECT_EQ(outcome.cached_tokens, 8);
    EXPECT_EQ(outcome.admitted_tokens, 18);
}

TEST(Deployment, RefusesFewerTokensThanSequences) {
    Deployment deployment = small_deployment(1);
    deployment.limits.engine.max_sequences = 17;
    try {
        serve_flat(deployment, {{0, 4, 1}});
        FAIL() << "accepted";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("max_sequences 17 is more than token_budget 16"));
    }
}

/// The first takes 3 s, the second 1, and the third comes after 2: by turns it would wait for the first.
TEST(Deployment, RouterSendsToTheLeastLoaded) {
    const std::vector<Request> three{{0, 4, 3}, {0, 4, 1}, {to_ticks(2.0), 4, 1}};
    Deployment deployment = small_deployment(2);
    EXPECT_SOFT_EQ(serve_flat(deployment, three).duration, 4.0);
    deployment.limits.engine.router = graph::Router::least_loaded;
    EXPECT_SOFT_EQ(serve_flat(deployment, three).duration, 3.0);
    deployment.clients = 2;
    EXPECT_THROW(serve_flat(deployment, three), ModelError);
}

/// One replica of 1 s a step fails at 1.5 s, with the first request in its second step, which ends at 2 s,
/// and runs again from 3.5 s on. Both requests start over: the first takes 3 s, then the second 3 s.
TEST(Deployment, RequestsOfFailedReplicasStartOverOrAreLost) {
    Deployment deployment = small_deployment(1);
    deployment.limits.engine.router = graph::Router::least_loaded;
    deployment.limits.engine.repair_time = Seconds{2.0};
    deployment.next_failure = [](std::size_t, Ticks up) { return up == 0 ? to_ticks(1.5) : never; };
    const std::vector<Request> two(2, Request{0, 4, 3});
    const Outcome retried = serve_flat(deployment, two);
    EXPECT_EQ(retried.answered, 2);
    EXPECT_EQ(retried.retried, 2);
    EXPECT_EQ(retried.lost, 0);
    EXPECT_SOFT_EQ(retried.duration, 3.5 + 6.0);
    EXPECT_SOFT_EQ(retried.availability, 1.0 - 2.0 / 9.5);
    deployment.limits.engine.most_retries = 0;
    const Outcome lost = serve_flat(deployment, {{0, 4, 3}, {to_ticks(4.0), 4, 3}});
    EXPECT_EQ(lost.answered, 1);
    EXPECT_EQ(lost.retried, 0);
    EXPECT_EQ(lost.lost, 1);
    EXPECT_SOFT_EQ(lost.duration, 7.0);
}

/// Four stages, four batches of one request each: a request takes a second, and one ends every quarter of a
/// second, the first of them after one. One batch at a time: eight seconds.
TEST(Deployment, APipelineWorksOnABatchInEachStage) {
    const std::vector<Request> eight(8, Request{0, 4, 1});
    Deployment deployment = small_deployment(1);
    deployment.limits.pages = 16;
    EXPECT_SOFT_EQ(serve_flat(deployment, eight).duration, 8.0);
    deployment.stages = 4;
    const Outcome open = serve_flat(deployment, eight);
    EXPECT_SOFT_EQ(open.duration, 2.75);
    EXPECT_SOFT_EQ(open.latency[0][1], 0.5 * (1.75 + 2.0)) << "1 to 1.75 s, and 2 to 2.75 s";
    deployment.limits.engine.router = graph::Router::least_loaded;
    EXPECT_SOFT_EQ(serve_flat(deployment, eight).duration, 2.75);
    deployment.limits.engine.router = graph::Router::round_robin;
    deployment.clients = 2;
    const Outcome closed = serve_flat(deployment, eight);
    EXPECT_SOFT_EQ(closed.duration, 4.25) << "two clients have a quarter of a second between them";
    EXPECT_EQ(closed.answered, 8);
}

/// A batch whose clients have all given up has nothing to do, but the others have: all requests end.
TEST(Deployment, BatchesGoOnWhereAnotherHasNobodyLeft) {
    Deployment deployment = small_deployment(1);
    deployment.limits.pages = 16;
    deployment.stages = 2;
    deployment.limits.patience = {{}, {Seconds{0.6}, Seconds{}}};
    std::vector<Request> many;
    for (std::int32_t i = 0; i < 60; ++i) {
        many.push_back({to_ticks(0.7 * i), 4, 1 + i % 5});
        many.back().kind = i % 3 == 0 ? 0 : 1;
    }
    for (const std::int64_t clients : {0, 4}) {
        deployment.clients = clients;
        const Outcome outcome = serve_flat(deployment, many);
        EXPECT_GT(outcome.gave_up, 10);
        EXPECT_GE(outcome.answered, 20);
        EXPECT_EQ(outcome.answered + outcome.gave_up, 60) << clients << " clients";
    }
}

/// Longer than any run, and longer than ticks can tell: as if clients never gave up.
TEST(Deployment, ClientsMayWaitForYears) {
    Deployment deployment = small_deployment(1);
    const std::vector<Request> four(4, Request{0, 4, 1});
    const Outcome without = serve_flat(deployment, four);
    for (const double seconds : {7.5e6, 1e9, 1e300}) {
        deployment.limits.patience = {{Seconds{seconds}, Seconds{seconds}}};
        const Outcome outcome = serve_flat(deployment, four);
        EXPECT_EQ(outcome.gave_up, 0);
        EXPECT_EQ(outcome.duration, without.duration);
    }
}

/// 20 tokens are 5 pages. Of 8 pages, each of two batches has 4.
TEST(Deployment, RefusesWhatDoesNotFitABatchsShare) {
    Deployment deployment = small_deployment(1);
    deployment.limits.pages = 8;
    EXPECT_EQ(serve_flat(deployment, {{0, 17, 4}, {0, 13, 4}}).answered, 2);
    deployment.stages = 2;
    const Outcome outcome = serve_flat(deployment, {{0, 17, 4}, {0, 13, 4}});
    EXPECT_EQ(outcome.answered, 1);
    EXPECT_EQ(outcome.refused, 1);
}

/// Nobody is answered within the level, and a failure loses all that are sent by then.
TEST(Deployment, CountsThoseThatAreLostOrLate) {
    Deployment deployment = small_deployment(1);
    deployment.levels.most[0][4] = Seconds{1e-12};
    EXPECT_EQ(serve_flat(deployment, {{0, 4, 3}}).good, 0);
    deployment.limits.engine.router = graph::Router::least_loaded;
    deployment.limits.engine.repair_time = Seconds{2.0};
    deployment.limits.engine.most_retries = 0;
    deployment.next_failure = [](std::size_t, Ticks up) { return up == 0 ? to_ticks(1.5) : never; };
    const Outcome lost = serve_flat(deployment, {{0, 4, 3}, {0, 4, 3}});
    EXPECT_EQ(lost.answered, 0);
    EXPECT_EQ(lost.lost, 2);
    EXPECT_EQ(lost.retried, 0);
}

/// What lies in memory, one after another.
class Listed final : public RequestSource {
  public:
    explicit Listed(const std::vector<Request>& all) : all_{all} {}
    bool next(Request& request) override {
        if (next_ == all_.size()) return false;
        request = all_[next_++];
        return true;
    }

  private:
    const std::vector<Request>& all_;
    std::size_t next_{0};
};

TEST(Deployment, StreamsAsItServes) {
    graph::Traffic traffic;
    traffic.rate = graph::Frequency{3.0};
    traffic.requests = 3000;
    traffic.prompt = 6;
    traffic.output = 5;
    traffic.output_spread = 0.7;
    const Requests drawn = draw_requests(traffic, 1);
    Deployment deployment = small_deployment(3);
    deployment.limits.pages = 30;
    deployment.limits.engine.max_sequences = 8;
    FlatCosts costs{to_ticks(0.3)};
    for (const graph::Router router : {graph::Router::round_robin, graph::Router::least_loaded}) {
        deployment.limits.engine.router = router;
        Requests requests = drawn;
        const Outcome whole = serve(deployment, costs, requests, {});
        Listed listed{drawn.all};
        const Outcome streamed = serve_stream(deployment, costs, listed, {});
        EXPECT_EQ(streamed.answered, 3000);
        EXPECT_EQ(streamed.steps, whole.steps);
        EXPECT_EQ(streamed.duration, whole.duration);
        EXPECT_EQ(streamed.sent_for, whole.sent_for);
        for (std::size_t i = 0; i < whole.latency.size(); ++i) {
            for (std::size_t j = 0; j < whole.latency[i].size(); ++j)
                EXPECT_NEAR(streamed.latency[i][j], whole.latency[i][j], 1e-9 * whole.latency[i][j]);
        }
        EXPECT_NEAR(streamed.waiting, whole.waiting, 1e-9 * whole.waiting);
    }
}

}  // namespace
}  // namespace dse::serving
