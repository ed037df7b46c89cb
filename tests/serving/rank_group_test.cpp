// Also tests: lanes.cpp
#include "serving/rank_group.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "dse/serving/deployment.hpp"

namespace dse::serving {
namespace {

/// 10 ticks for each token of a prompt; 5, whoever decodes. The host launches the kernels of prompts in
/// `launches`.
class SlowPrompts final : public StepTime {
  public:
    explicit SlowPrompts(Ticks launches = 0) : launches_{launches} {}

    DecodeLine decode(const Decodes& /*decodes*/) override { return {5, 0, std::int64_t{1} << 40U}; }
    Ticks mixed(std::span<const Chunk> chunks, const Decodes& /*decodes*/) override {
        Ticks time = 0;
        for (const Chunk& chunk : chunks) time += 10 * chunk.tokens;
        return time;
    }
    Ticks launches(std::span<const Batch> ranks) override {
        for (const Batch& batch : ranks) {
            if (!batch.chunks.empty()) return launches_;
        }
        return 0;
    }

  private:
    Ticks launches_;
};

class Ranks : public ::testing::Test {
  protected:
    Ranks() {
        deployment_.limits.pages = 8;
        deployment_.limits.page_tokens = 4;
        deployment_.limits.engine.max_sequences = 4;
        deployment_.limits.engine.token_budget = 16;
        deployment_.ranks = 2;
        deployment_.keeps_course = true;
    }

    Outcome serve(std::vector<Request> all, Ticks launches = 0) {
        SlowPrompts costs{launches};
        Requests requests;
        requests.all = std::move(all);
        return serving::serve(deployment_, costs, requests, {});
    }

    Deployment deployment_;
};

/// The first decodes at 10 and 15. The prompt of 4 that arrives at 12 is read from 15 to 55, and so long
/// takes the first's step at the other rank, too; its last one ends at 60.
TEST_F(Ranks, WaitForEachOther) {
    const std::vector<Request> two{{0, 1, 4}, {12, 4, 1}};
    for (const graph::Router router : {graph::Router::round_robin, graph::Router::least_loaded}) {
        deployment_.limits.engine.router = router;
        const Outcome together = serve(two);
        EXPECT_EQ(together.requests[0].last_token, 60);
        EXPECT_EQ(together.requests[1].first_token, 55);
        EXPECT_EQ(together.steps, 5) << "a rank without requests has no step of its own";
        EXPECT_EQ(together.requests[1].replica, 0U) << "two ranks of one replica";
    }
    deployment_.limits.engine.router = graph::Router::round_robin;
    deployment_.ranks = 1;
    deployment_.replicas = 2;
    const Outcome apart = serve(two);
    EXPECT_EQ(apart.requests[0].last_token, 25);
    EXPECT_EQ(apart.requests[1].first_token, 52);
}

/// With one client the other rank never has anything.
TEST_F(Ranks, MayHaveNothingToDo) {
    deployment_.clients = 1;
    const Outcome outcome = serve({{0, 1, 2}, {0, 1, 2}});
    EXPECT_EQ(outcome.answered, 2);
    EXPECT_EQ(outcome.requests[1].last_token, 30);
}

/// A host of 6 ticks a step, of which each of two tokens has 3: a prompt of one token takes 6 + 10, each of
/// two further tokens 3 + 5.
TEST_F(Ranks, HaveAWholeHostForPrompts) {
    deployment_.tokens_a_step = 2.0;
    deployment_.limits.engine.host_time = Seconds{to_seconds(3)};
    const Outcome outcome = serve({{0, 1, 3}});
    EXPECT_DOUBLE_EQ(outcome.latency[0][0], to_seconds(16));
    EXPECT_DOUBLE_EQ(outcome.duration, to_seconds(32));
}

/// The host of the rank with three sequences takes 3 ticks, and that of the other one.
TEST_F(Ranks, WaitForTheSlowestHost) {
    deployment_.limits.engine.host_time_sequence = Seconds{to_seconds(1)};
    const Outcome outcome = serve({{0, 1, 3}, {0, 1, 3}, {0, 1, 3}, {0, 1, 3}, {0, 1, 3}});
    EXPECT_EQ(outcome.requests[1].last_token, 30 + 2 * (3 + 5)) << "three prompts at one rank";
}

/// A host of 3 ticks that works ahead launches a prompt of 10 ticks for 9 more, and 5 ticks of decoding not
/// at all. Of one that does not, the devices' time contains the launches.
TEST_F(Ranks, WaitForTheirHostToLaunchPrompts) {
    deployment_.limits.engine.host_time = Seconds{to_seconds(3)};
    deployment_.limits.engine.asynchronous = true;
    EXPECT_EQ(serve({{0, 1, 3}}, 9).requests[0].last_token, 12 + 2 * 5);
    EXPECT_EQ(serve({{0, 1, 3}}, 6).requests[0].last_token, 10 + 2 * 5);
    deployment_.limits.engine.asynchronous = false;
    EXPECT_EQ(serve({{0, 1, 3}}, 9).requests[0].last_token, 3 + 10 + 2 * (3 + 5));
}

/// Steps of 16 tokens: the first leaves 4 of its prompt to the next, and takes 1,000 ticks longer, once.
TEST_F(Ranks, WaitOnceForKernelsThatContinuePrompts) {
    deployment_.ranks = 1;
    deployment_.limits.engine.first_chunk_time = Seconds{to_seconds(1000)};
    const Outcome outcome = serve({{0, 16, 1}, {2000, 20, 1}, {4000, 20, 1}});
    EXPECT_EQ(outcome.requests[0].first_token, 160) << "leaves nothing";
    EXPECT_EQ(outcome.requests[1].first_token, 2000 + 160 + 1000 + 40);
    EXPECT_EQ(outcome.requests[2].first_token, 4000 + 160 + 40);
}

/// A failure takes all ranks of a replica along: both requests start over after its repair.
TEST_F(Ranks, FailTogether) {
    deployment_.limits.engine.router = graph::Router::least_loaded;
    deployment_.limits.engine.repair_time = Seconds{to_seconds(100)};
    deployment_.next_failure = [](std::size_t, Ticks up) { return up == 0 ? Ticks{12} : never; };
    const Outcome outcome = serve({{0, 1, 4}, {0, 1, 4}});
    EXPECT_EQ(outcome.retried, 2);
    EXPECT_EQ(outcome.requests[0].last_token, 112 + 10 + 3 * 5);
    EXPECT_EQ(outcome.requests[1].last_token, outcome.requests[0].last_token) << "at two ranks again";
}

/// Two ranks, each with its lane in a pipeline of two stages: a prompt takes 5 in each.
TEST_F(Ranks, PassAPipelineTogether) {
    deployment_.stages = 2;
    const Outcome outcome = serve({{0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}});
    EXPECT_EQ(outcome.requests[0].last_token, 10);
    EXPECT_EQ(outcome.requests[1].last_token, 10) << "the other rank";
    EXPECT_EQ(outcome.requests[2].last_token, 15) << "the other lane";
}

}  // namespace
}  // namespace dse::serving
