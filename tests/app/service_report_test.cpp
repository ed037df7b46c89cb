#include "app/service_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ServiceReport, SaysWhatArrives) {
    graph::Traffic traffic;
    traffic.rate = graph::Frequency{4.0};
    EXPECT_EQ(traffic_text(traffic), "poisson at 4 requests/s, prompts of 1024, answers of 128 tokens");
    traffic.clients = 8;
    EXPECT_THAT(traffic_text(traffic), HasSubstr("8 clients"));
    traffic.trace = "a.csv";
    traffic.speed = 2.0;
    EXPECT_EQ(traffic_text(traffic), "requests of a.csv at 2 times its speed");
}

TEST(ServiceReport, SaysHowLevelsAreKept) {
    metrics::Metrics metrics;
    metrics.ttft_p99 = 1.25;
    EXPECT_THAT(service_text(metrics), Not(HasSubstr("levels")));
    metrics.slo_worst = 1.25;
    metrics.slo_attainment = 0.5;
    metrics.goodput = 3.0;
    EXPECT_THAT(service_text(metrics), HasSubstr("the worst stands at 1.25 of its level"));
    metrics.max_request_rate = 2.0;
    metrics.max_request_rate_high = 2.1;
    EXPECT_THAT(service_text(metrics), HasSubstr("2 to 2.1 requests/s"));
    EXPECT_THAT(service_text(metrics), HasSubstr("1.25 s"));
}

}  // namespace
}  // namespace dse::app
