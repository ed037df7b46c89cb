#include "app/service_report.hpp"

#include <vector>

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
    traffic.prefix = 512;
    EXPECT_THAT(traffic_text(traffic),
                HasSubstr("prompts of 1024 (behind a common prefix of 512 tokens), answers"));
    traffic.prefixes = 4;
    traffic.prefix_share = 0.5;
    EXPECT_THAT(traffic_text(traffic), HasSubstr("(50.0 % of them behind one of 4 prefixes of 512 tokens)"));
    traffic.clients = 8;
    EXPECT_THAT(traffic_text(traffic), HasSubstr("8 clients"));
    traffic.trace = "a.csv";
    traffic.speed = 2.0;
    EXPECT_EQ(traffic_text(traffic), "requests from a.csv at 2 times their speed");
}

TEST(ServiceReport, SaysHowTheRateChanges) {
    graph::Traffic traffic;
    traffic.rate = graph::Frequency{4.0};
    traffic.ramp_to = graph::Frequency{8.0};
    traffic.ramp_time = Seconds{60.0};
    EXPECT_THAT(traffic_text(traffic),
                HasSubstr("poisson at 4 requests/s, after 60 s at 8, prompts of 1024"));
    traffic.ramp_to = {};
    traffic.day = Seconds{60.0};
    traffic.classes.resize(2);
    EXPECT_EQ(traffic_text(traffic),
              "poisson at 4 requests/s on average, ± 50.0 % over 60 s, 2 classes of requests");
}

TEST(ServiceReport, SaysHowConversationsGoOn) {
    graph::Traffic traffic;
    traffic.clients = 8;
    traffic.turns = 5;
    EXPECT_EQ(traffic_text(traffic),
              "8 clients, messages of 1024, answers of 128 tokens, in conversations of 5 turns");
    traffic.turn_gap = Seconds{60.0};
    EXPECT_THAT(traffic_text(traffic), HasSubstr("of 5 turns, 60 s after each answer"));
    traffic.clients = 0;
    traffic.rate = graph::Frequency{4.0};
    EXPECT_THAT(traffic_text(traffic), HasSubstr("of 5 turns, 60 s apart"));
}

TEST(ServiceReport, HasARowForEachClass) {
    EXPECT_EQ(classes_text({}), "");
    serving::ClassOutcome chat;
    chat.name = "chat";
    chat.answered = 4;
    chat.good = 3;
    chat.latency[serving::ttft] = {0.25, 0.25, 0.25, 0.25, 0.5};
    chat.latency[serving::tpot].fill(metrics::not_a_number);
    chat.worst_level = 1.25;
    serving::ClassOutcome absent;
    absent.name = "absent";
    const std::vector<serving::ClassOutcome> classes{chat, absent};
    const std::string text = classes_text(classes);
    EXPECT_THAT(text, HasSubstr("chat"));
    EXPECT_THAT(text, HasSubstr("75.0 %"));
    EXPECT_THAT(text, HasSubstr("250 ms  500 ms          -"));
    EXPECT_THAT(text, HasSubstr("absent"));
}

TEST(ServiceReport, ShowsEachPoolIfThereAreTwo) {
    metrics::Metrics metrics;
    EXPECT_THAT(service_text(metrics), Not(HasSubstr("pool")));
    metrics.prefill_utilization = 0.5;
    metrics.prefill_queue_mean = 1.5;
    metrics.prefill_queue_max = 3.0;
    metrics.prefill_cache_use_mean = 0.25;
    metrics.prefill_cache_use_max = 0.75;
    EXPECT_THAT(service_text(metrics),
                HasSubstr("  prefill pool: busy 50.0 % of the time   1.5 waiting (at most 3 at one worker)   "
                          "cache 25.0 % used (at most 75.0 %)\n"));
}

TEST(ServiceReport, SaysWhatFailuresDid) {
    metrics::Metrics metrics;
    metrics.availability = 1.0;
    EXPECT_THAT(service_text(metrics), Not(HasSubstr("are up")));
    metrics.availability = 0.94;
    metrics.requests_retried = 5.0;
    metrics.requests_lost = 2.0;
    EXPECT_THAT(
        service_text(metrics),
        HasSubstr("  replicas are up 94.0 % of the time   5 requests started over   2 requests lost\n"));
}

TEST(ServiceReport, SaysHowLevelsAreKept) {
    metrics::Metrics metrics;
    metrics.ttft_p99 = 1.25;
    EXPECT_THAT(service_text(metrics), Not(HasSubstr("levels")));
    metrics.slo_worst = 1.25;
    metrics.slo_attainment = 0.5;
    metrics.goodput = 3.0;
    EXPECT_THAT(service_text(metrics), HasSubstr("the worst latency is 1.25 times its level"));
    metrics.max_request_rate = 2.0;
    metrics.max_request_rate_high = 2.1;
    EXPECT_THAT(service_text(metrics), HasSubstr("2 to 2.1 requests/s\n"));
    metrics.usd_per_mtoken_at_max_rate = 1.5;
    EXPECT_THAT(service_text(metrics),
                HasSubstr("2 to 2.1 requests/s, at 1.5 USD per million output tokens"));
    metrics.max_request_rate_high = metrics::not_a_number;
    EXPECT_THAT(service_text(metrics),
                AllOf(HasSubstr("2 or more requests/s"), HasSubstr("more traffic.requests")));
    EXPECT_THAT(service_text(metrics), HasSubstr("1.25 s"));
}

TEST(ServiceReport, SaysWhichRateKeepsTheLevelsThoughNobodyWasAnswered) {
    metrics::Metrics metrics;
    metrics.slo_attainment = 0.0;
    metrics.max_request_rate = 2.0;
    metrics.max_request_rate_high = 2.1;
    EXPECT_THAT(service_text(metrics), HasSubstr("levels: 0.0 % of the requests meet them\n"));
    EXPECT_THAT(service_text(metrics), HasSubstr("2 to 2.1 requests/s\n"));
}

TEST(ServiceReport, SaysWhyNoRateKeepsTheLevels) {
    metrics::Metrics metrics;
    metrics.slo_worst = 1.25;
    metrics.max_request_rate = 0.0;
    metrics.max_request_rate_high = 0.002;
    metrics.requests_refused = 0.0;
    EXPECT_THAT(service_text(metrics), HasSubstr("down to 0.002 requests/s: requests that are served alone"));
    metrics.requests_refused = 3.0;
    EXPECT_THAT(service_text(metrics), HasSubstr("3 requests do not fit even on their own"));
}

TEST(ServiceReport, SaysHowSureMeansAre) {
    metrics::Metrics metrics;
    EXPECT_THAT(service_text(metrics), Not(HasSubstr("80 %")));
    metrics.ttft_mean = 1.0;
    metrics.ttft_mean_low = 0.75;
    metrics.ttft_mean_high = 1.4;
    metrics.tpot_mean = 0.02;
    metrics.tpot_mean_low = 0.018;
    metrics.tpot_mean_high = 0.022;
    EXPECT_THAT(service_text(metrics),
                HasSubstr("time to first token -25 % to +40 %, time per output token -10 % to +10 %"));
}

}  // namespace
}  // namespace dse::app
