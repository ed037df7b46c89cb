#include "dse/graph/serving_conflicts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The first conflict's field and reason.
std::string first(const ServingConflicts& conflicts) {
    if (conflicts.empty()) return "none";
    return std::string{conflicts.front().fields.front()} + ": " + conflicts.front().reason;
}

TEST(ServingConflicts, TrafficArrivesInOneWay) {
    Traffic traffic;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.rate: traffic has neither rate"));
    traffic.rate = Frequency{1.0};
    EXPECT_THAT(conflicts_of(traffic), IsEmpty());
    traffic.clients = 1;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.clients: traffic has both a rate and"));
    traffic.trace = "t.csv";
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.rate: traffic has both a trace and a rate"));
    traffic.rate = {};
    EXPECT_THAT(conflicts_of(traffic), IsEmpty()) << "the clients send the requests of the trace";
    traffic.trace.clear();
    traffic.length_ratio = 0.5;
    EXPECT_THAT(conflicts_of(traffic), IsEmpty());
    traffic.output_spread = 0.1;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.length_ratio: "));
}

TEST(ServingConflicts, ARateChangesInOneWay) {
    Traffic traffic;
    traffic.rate = Frequency{1.0};
    traffic.ramp_to = Frequency{2.0};
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.ramp_to: a ramp needs both ramp_to (above"));
    traffic.ramp_time = Seconds{60.0};
    EXPECT_THAT(conflicts_of(traffic), IsEmpty());
    traffic.day = Seconds{3600.0};
    EXPECT_THAT(first(conflicts_of(traffic)),
                HasSubstr("traffic.ramp_to: traffic has both a ramp and a day"));
    traffic.ramp_to = {};
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.ramp_time: a ramp needs both"));
    traffic.ramp_time = {};
    EXPECT_THAT(conflicts_of(traffic), IsEmpty());
    traffic.rate = {};
    traffic.clients = 4;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.day: day needs a rate"));
    traffic.clients = 0;
    traffic.trace = "t.csv";
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("traffic.day: day needs a rate"));
}

TEST(ServingConflicts, NobodyNamesAdaptersThatDoNotExist) {
    Traffic traffic;
    traffic.rate = Frequency{1.0};
    traffic.adapter_skew = 1.0;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("adapter_skew: requests name no adapters"));
    traffic.adapters = 1;
    EXPECT_TRUE(conflicts_of(traffic).empty());
}

TEST(ServingConflicts, PrefixesAreDrawn) {
    Traffic traffic;
    traffic.rate = Frequency{1.0};
    traffic.prefix = 512;
    EXPECT_THAT(conflicts_of(traffic), IsEmpty());
    traffic.rate = {};
    traffic.trace = "t.csv";
    EXPECT_THAT(first(conflicts_of(traffic)),
                HasSubstr("traffic.prefix: traffic has both a trace and a prefix"));
    EXPECT_TRUE(has_prefixes(traffic));
    ServingEngine engine;
    EXPECT_THAT(conflicts_of(engine, traffic), IsEmpty());
    engine.router = Router::session;
    EXPECT_THAT(first(conflicts_of(engine, traffic)),
                HasSubstr("serving.router: router session: drawn requests"));
}

TEST(ServingConflicts, ConversationsHaveARateAndAPace) {
    Traffic traffic;
    traffic.rate = Frequency{1.0};
    traffic.turns = 4;
    EXPECT_TRUE(has_conversations(traffic));
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("turns need a turn_gap"));
    traffic.turn_gap = Seconds{60.0};
    EXPECT_TRUE(conflicts_of(traffic).empty());
    traffic.rate = Frequency{0.0};
    traffic.clients = 4;
    traffic.turn_gap = Seconds{0.0};
    EXPECT_TRUE(conflicts_of(traffic).empty()) << "clients wait for their answers";
    traffic.clients = 0;
    traffic.trace = "t.csv";
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("both a trace and turns"));
    traffic = {};
    traffic.rate = Frequency{1.0};
    traffic.classes.resize(1);
    traffic.classes[0].name = "chat";
    traffic.classes[0].turns = 3;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("class 'chat' has turns without a turn_gap"));
    traffic.classes[0].turn_gap = Seconds{1.0};
    traffic.turns = 2;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("both classes and turns for all requests"));
}

TEST(ServingConflicts, HostMemoryKeepsWhatACacheForgets) {
    ServingEngine engine;
    engine.host_cache = Bytes{1e9};
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("prefix_cache is off"));
    engine.prefix_cache = true;
    EXPECT_TRUE(conflicts_of(engine).empty());
}

TEST(ServingConflicts, OnlySomeSchedulersKnowPriorities) {
    ServingEngine engine;
    engine.scheduling_policy = SchedulingPolicy::priority;
    EXPECT_THAT(conflicts_of(engine), IsEmpty());
    Traffic traffic;
    EXPECT_THAT(conflicts_of(engine, traffic), IsEmpty());
    traffic.adapters = 4;
    EXPECT_THAT(first(conflicts_of(engine, traffic)), HasSubstr("serving.scheduling_policy: "));
    engine.scheduler = Scheduler::sglang;
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("only scheduler vllm orders requests by priority"));
}

TEST(ServingConflicts, ClassesHaveTheirOwnPrefixesAndTimeOuts) {
    Traffic traffic;
    traffic.rate = Frequency{1.0};
    traffic.classes.resize(1);
    traffic.classes[0].name = "chat";
    EXPECT_FALSE(gives_up(traffic));
    traffic.classes[0].timeout = Seconds{1.0};
    EXPECT_TRUE(gives_up(traffic));
    traffic.classes[0].prefix = 64;
    EXPECT_THAT(conflicts_of(traffic), IsEmpty());
    traffic.prefix = 64;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("both classes and a prefix for all requests"));
    traffic.prefix = 0;
    traffic.first_token_timeout = Seconds{1.0};
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("both classes and time-outs for all requests"));
}

TEST(ServingConflicts, ClassesStateWhatIsTheirs) {
    Traffic traffic;
    traffic.rate = Frequency{1.0};
    RequestClass chat;
    chat.name = "chat";
    traffic.classes = {chat, chat};
    EXPECT_THAT(first(conflicts_of(traffic)),
                HasSubstr("traffic.classes: class 'chat' has the name of another"));
    traffic.classes[0].name = "a b";
    traffic.classes[1].name = "a-b";
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("would have the same columns as 'a b' (a_b_…)"));
    traffic.classes[0].name = "chat";
    traffic.classes[1].name = "a,b";
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("class 'a,b' needs a name without commas"));
    traffic.classes[1].name = "batch";
    EXPECT_THAT(conflicts_of(traffic), IsEmpty());
    traffic.classes[1].levels.rate_within = 0.1;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("class 'batch' states rate_within"));
    traffic.classes[1].levels = {};
    traffic.classes[1].levels.most[2][4] = Seconds{1.0};
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("class 'batch' states a level of itl"));
    traffic.classes[1].levels = {};
    traffic.classes[1].length_ratio = 0.5;
    traffic.classes[1].output_spread = 0.5;
    EXPECT_THAT(first(conflicts_of(traffic)),
                HasSubstr("class 'batch' has both a length_ratio and a spread"));
    traffic.classes[1] = traffic.classes[0];
    traffic.classes[1].name = "batch";
    traffic.prompt = 7;
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("both classes and lengths for all requests"));
    traffic.prompt = Traffic{}.prompt;
    traffic.rate = {};
    traffic.trace = "t.csv";
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("both a trace and classes"));
    traffic.trace.clear();
    traffic.rate = Frequency{1.0};
    traffic.classes.assign(65, chat);
    EXPECT_THAT(first(conflicts_of(traffic)), HasSubstr("65 classes: there can be at most 64"));
}

/// Levels of a class are levels to search the highest rate by.
TEST(ServingConflicts, ClassesMayStateTheLevels) {
    ServiceLevels levels;
    levels.rate_within = 0.1;
    Traffic traffic;
    traffic.rate = Frequency{1.0};
    traffic.classes.emplace_back().name = "chat";
    EXPECT_THAT(first(conflicts_of(levels, traffic)), HasSubstr("slo.rate_within: "));
    EXPECT_FALSE(states_levels(levels, traffic));
    traffic.classes[0].levels.most[0][4] = Seconds{1.0};
    EXPECT_THAT(conflicts_of(levels, traffic), IsEmpty());
    EXPECT_TRUE(states_levels(levels, traffic));
}

TEST(ServingConflicts, OptionsOfOneSchedulerNeedIt) {
    ServingEngine engine;
    EXPECT_THAT(conflicts_of(engine), IsEmpty());
    engine.max_sequences = engine.token_budget + 1;
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("max_sequences 8193 is more than token_budget 8192"));
    engine = {};
    engine.graph_double_from = 128;
    EXPECT_THAT(first(conflicts_of(engine)),
                HasSubstr("graph_double_from 128 is not a multiple of graph_batch 0"));
    engine.graph_batch = 8;
    EXPECT_THAT(conflicts_of(engine), IsEmpty());
    engine = {};
    engine.hold_steps = 1;
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("serving.hold_steps: "));
    engine.scheduler = Scheduler::tensorrt;
    engine.receive_every = 2;
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("serving.receive_every: "));
    engine.receive_every = 1;
    engine.least_replicas = 1;
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("serving.least_replicas: "));
    engine.router = Router::least_loaded;
    EXPECT_THAT(conflicts_of(engine), IsEmpty());
    engine.failure_interval = Seconds{3600.0};
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("serving.failure_interval: "));
    engine.least_replicas = 0;
    EXPECT_THAT(conflicts_of(engine), IsEmpty());
    engine.router = Router::session;
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("only with router least_loaded"));
}

TEST(ServingConflicts, TheHighestRateNeedsLevelsAndARate) {
    ServiceLevels levels;
    Traffic traffic;
    EXPECT_THAT(conflicts_of(levels, traffic), IsEmpty());
    levels.rate_within = 0.1;
    EXPECT_THAT(first(conflicts_of(levels, traffic)), HasSubstr("slo.rate_within: rate_within: no level"));
    levels.most[1][4] = Seconds{0.05};
    EXPECT_THAT(conflicts_of(levels, traffic), IsEmpty());
    traffic.clients = 2;
    EXPECT_THROW(require_none(conflicts_of(levels, traffic)), ModelError);
}

}  // namespace
}  // namespace dse::graph
