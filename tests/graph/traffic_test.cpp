#include "dse/graph/traffic.hpp"

#include <gtest/gtest.h>

#include "dse/graph/service_levels.hpp"
#include "dse/graph/serving_engine.hpp"
#include "support/yaml.hpp"

namespace dse::graph {
namespace {

template <class Struct>
Struct read(const std::string& text) {
    Struct result;
    config::Diagnostics diagnostics;
    const config::Node node = config::parse_yaml(text, "t.yaml", diagnostics);
    config::read_struct(node, result, nullptr, diagnostics);
    diagnostics.throw_if_any();
    return result;
}

TEST(Traffic, IsReadByName) {
    const auto traffic =
        read<Traffic>("{arrivals: gamma, rate: 4 1/s, prompt: 100, trace: t.csv.gz, speed: 2}");
    EXPECT_EQ(traffic.arrivals, Arrivals::gamma);
    EXPECT_EQ(traffic.rate.value(), 4.0);
    EXPECT_EQ(traffic.prompt, 100);
    EXPECT_EQ(traffic.trace, "t.csv.gz");
    EXPECT_EQ(traffic.speed, 2.0);
    EXPECT_THROW(read<Traffic>("{rate: 4}"), InputError) << "of what?";
    EXPECT_THROW(read<Traffic>("{prompt: 0}"), InputError);
}

TEST(ServingEngine, IsReadByName) {
    const auto engine = read<ServingEngine>(
        "{scheduler: tensorrt, token_budget: 8192, chunked_prefill: true, max_sequences: 256, prefix_cache: "
        "false, "
        "speculative: none}");
    EXPECT_EQ(engine.scheduler, Scheduler::tensorrt);
    EXPECT_THROW(read<ServingEngine>("{scheduler: fifo}"), InputError);
}

TEST(ServiceLevels, AreReadByLatencyAndStatistic) {
    const auto levels = read<ServiceLevels>("{ttft_p99: 1 s, itl_mean: 50 ms}");
    EXPECT_EQ(levels.most[0][4].value(), 1.0);
    EXPECT_EQ(levels.most[2][0].value(), 0.05);
    EXPECT_EQ(levels.most[1][4].value(), 0.0);
    EXPECT_THROW(read<ServiceLevels>("{ttft_p98: 1 s}"), InputError);
}

}  // namespace
}  // namespace dse::graph
