#include "serving/running_replicas.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/serving/deployment.hpp"
#include "serving/flat_costs.hpp"
#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

graph::ServingEngine elastic_engine() {
    graph::ServingEngine engine;
    engine.router = graph::Router::least_loaded;
    engine.token_budget = 16;
    engine.max_sequences = 1;
    engine.least_replicas = 1;
    engine.start_load = 2.0;
    engine.start_time = Seconds{1.0};
    return engine;
}

TEST(RunningReplicas, AllRunByDefault) {
    const RunningReplicas running{graph::ServingEngine{}, 3};
    EXPECT_FALSE(running.change());
    EXPECT_TRUE(running.runs(2, 0));
    EXPECT_SOFT_EQ(running.paid_share(to_ticks(5.0)), 1.0);
}

/// Two unanswered requests of the one that runs start the second at 3 s; two each start the third at 5 s,
/// while the second still starts. The second has nothing to do from 6 s on, and is gone 2 s later.
TEST(RunningReplicas, StartWithTheLoadAndStopWithoutWork) {
    graph::ServingEngine engine = elastic_engine();
    engine.start_time = Seconds{2.5};
    engine.stop_after = Seconds{2.0};
    RunningReplicas running{engine, 3};
    const auto at = [](double seconds) { return to_ticks(seconds); };
    running.adjust(at(2.0), {1, 0, 0}, {0, 0, 0});
    EXPECT_FALSE(running.runs(1, at(9.0)));
    running.adjust(at(3.0), {2, 0, 0}, {0, 0, 0});
    EXPECT_FALSE(running.runs(1, at(5.0)));
    EXPECT_TRUE(running.runs(1, at(5.5)));
    running.adjust(at(4.0), {3, 0, 0}, {0, 0, 0});
    EXPECT_FALSE(running.runs(2, at(9.0))) << "3 of two are fewer than 2 each";
    running.adjust(at(5.0), {4, 0, 0}, {0, 0, 0});
    EXPECT_TRUE(running.runs(2, at(7.5)));
    running.adjust(at(8.0), {1, 0, 1}, {at(8.0), at(6.0), at(8.0)});
    EXPECT_FALSE(running.runs(1, at(8.0)));
    // 10 s, 3 to 8 s, and 5 to 10 s of three times 10 s.
    EXPECT_SOFT_EQ(running.paid_share(at(10.0)), 20.0 / 30.0);
}

Outcome serve_elastic(const graph::ServingEngine& engine) {
    Deployment deployment;
    deployment.limits.pages = 4;
    deployment.limits.page_tokens = 4;
    deployment.limits.engine = engine;
    deployment.replicas = 2;
    FlatCosts costs{to_ticks(1.0)};
    Requests requests;
    requests.all = {{0, 4, 1}, {0, 4, 1}, {0, 4, 1}, {to_ticks(1.5), 4, 1}, {to_ticks(1.5), 4, 1}};
    return serve(deployment, costs, requests, {});
}

/// A second each. Three come at once; when the third does, two are unanswered: the second replica starts, and
/// is there after 1 s. The first answers after 1, 2 and 3 s; at 1.5 s it has two left, so that the fourth
/// goes to the second, and is answered after 1 s; the fifth follows it there, for 2 s.
TEST(RunningReplicas, AreSentRequestsOnceTheyAreThere) {
    const Outcome outcome = serve_elastic(elastic_engine());
    EXPECT_EQ(outcome.answered, 5);
    EXPECT_SOFT_EQ(outcome.latency[0][0], (1.0 + 2.0 + 3.0 + 1.0 + 2.0) / 5.0);
    EXPECT_SOFT_EQ(outcome.duration, 3.5);
    EXPECT_SOFT_EQ(outcome.paid_share, 1.0);
    graph::ServingEngine slow = elastic_engine();
    slow.start_time = Seconds{9.0};
    // One after another: 1, 2, 3, and 4 and 5 s less 1.5.
    EXPECT_SOFT_EQ(serve_elastic(slow).latency[0][0], (1.0 + 2.0 + 3.0 + 2.5 + 3.5) / 5.0);
}

TEST(RunningReplicas, OtherRoutersAreNotElastic) {
    graph::ServingEngine engine = elastic_engine();
    engine.router = graph::Router::prefix;
    EXPECT_THROW(serve_elastic(engine), ModelError);
}

}  // namespace
}  // namespace dse::serving
