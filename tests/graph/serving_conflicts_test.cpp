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

TEST(ServingConflicts, OptionsOfOneSchedulerNeedIt) {
    ServingEngine engine;
    EXPECT_THAT(conflicts_of(engine), IsEmpty());
    engine.max_sequences = engine.token_budget + 1;
    EXPECT_THAT(first(conflicts_of(engine)), HasSubstr("max_sequences 8193 is more than token_budget 8192"));
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
