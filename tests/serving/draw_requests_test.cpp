// Also tests: request_draws.cpp
#include "dse/serving/draw_requests.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "serving/random.hpp"
#include "serving/request_draws.hpp"

namespace dse::serving {
namespace {

using graph::Arrivals;
using graph::Frequency;
using graph::Traffic;

Traffic traffic_at(double rate) {
    Traffic traffic;
    traffic.rate = Frequency{rate};
    traffic.requests = 20'000;
    return traffic;
}

double seconds_between(const Requests& requests) {
    return to_seconds(requests.all.back().arrival) / static_cast<double>(requests.all.size() - 1);
}

TEST(DrawRequests, ArriveAtTheirRate) {
    Traffic traffic = traffic_at(4.0);
    for (const auto arrivals : {Arrivals::poisson, Arrivals::gamma, Arrivals::fixed}) {
        traffic.arrivals = arrivals;
        traffic.burstiness = 1.5;
        const Requests requests = draw_requests(traffic, 1);
        ASSERT_EQ(requests.all.size(), 20'000U);
        EXPECT_EQ(requests.all.front().arrival, 0);
        // Four standard errors of gaps with a variation of 1.5.
        EXPECT_NEAR(seconds_between(requests), 0.25, 0.011);
        for (std::size_t i = 1; i < requests.all.size(); ++i)
            ASSERT_GE(requests.all[i].arrival, requests.all[i - 1].arrival);
    }
    EXPECT_NEAR(seconds_between(draw_requests(traffic, 1)), 0.25, 1e-9) << "fixed";
}

TEST(DrawRequests, LengthsDoNotDependOnArrivals) {
    Traffic slow = traffic_at(1.0);
    slow.prompt_spread = 1.0;
    slow.output_spread = 0.5;
    Traffic fast = slow;
    fast.rate = Frequency{10.0};
    fast.arrivals = Arrivals::gamma;
    const Requests a = draw_requests(slow, 7);
    const Requests b = draw_requests(fast, 7);
    for (std::size_t i = 0; i < a.all.size(); ++i) {
        ASSERT_EQ(a.all[i].prompt, b.all[i].prompt);
        ASSERT_EQ(a.all[i].output, b.all[i].output);
    }
    EXPECT_EQ(draw_requests(slow, 7).all, a.all);
    EXPECT_NE(draw_requests(slow, 8).all, a.all);
}

/// A log-normal's median is its mean times exp(-s²/2): 1024 · exp(-1/2) = 621.
TEST(DrawRequests, SpreadLengthsKeepTheirMean) {
    Traffic traffic = traffic_at(1.0);
    traffic.prompt_spread = 1.0;
    double sum = 0.0;
    int below = 0;
    for (const Request& request : draw_requests(traffic, 1).all) {
        sum += request.prompt;
        below += request.prompt < 621 ? 1 : 0;
        ASSERT_EQ(request.output, 128);
    }
    // Four standard errors: 1.31 · 1024 / sqrt(20,000).
    EXPECT_NEAR(sum / 20'000, 1024.0, 40.0);
    EXPECT_NEAR(below, 10'000, 300);
}

TEST(DrawRequests, ClientsBeginAtOnce) {
    Traffic traffic;
    traffic.clients = 4;
    traffic.requests = 10;
    const Requests requests = draw_requests(traffic, 1);
    ASSERT_EQ(requests.all.size(), 10U);
    for (const Request& request : requests.all) EXPECT_EQ(request.arrival, 0);
}

TEST(DrawRequests, NeedsToKnowHowTheyArrive) {
    const auto message = [](const Traffic& traffic) -> std::string {
        try {
            draw_requests(traffic, 1);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "accepted";
    };
    Traffic traffic;
    EXPECT_THAT(message(traffic), testing::HasSubstr("neither rate, nor clients, nor trace"));
    traffic.rate = Frequency{1e-3};
    traffic.requests = 10'000;
    EXPECT_THAT(message(traffic), testing::HasSubstr("longer than the 7e+06 s"));
    traffic.clients = 3;
    EXPECT_THAT(message(traffic), testing::HasSubstr("both a rate and clients"));
}

/// Even between 80 and 100: mean 90, standard error 6 / sqrt(20,000).
TEST(DrawRequests, LengthsAreEvenBetweenAShareAndTheWhole) {
    Traffic traffic = traffic_at(1.0);
    traffic.prompt = 100;
    traffic.output = 1;
    traffic.length_ratio = 0.8;
    const Requests requests = draw_requests(traffic, 1);
    double sum = 0.0;
    std::int32_t shortest = 100;
    std::int32_t longest = 0;
    for (const Request& request : requests.all) {
        sum += request.prompt;
        shortest = std::min(shortest, request.prompt);
        longest = std::max(longest, request.prompt);
        ASSERT_EQ(request.output, 1);
    }
    EXPECT_EQ(shortest, 80);
    EXPECT_EQ(longest, 100);
    EXPECT_NEAR(sum / 20'000, 90.0, 0.2);
    traffic.prompt_spread = 0.5;
    EXPECT_THROW(draw_requests(traffic, 1), ModelError);
}

/// A quarter of the requests is of the second class; four standard errors of 20,000 draws are 245.
TEST(DrawRequests, ClassesHaveTheirShareAndLengths) {
    Traffic traffic = traffic_at(4.0);
    graph::RequestClass chat;
    chat.name = "chat";
    chat.share = 3.0;
    chat.prompt = 100;
    graph::RequestClass batch;
    batch.name = "batch";
    batch.prompt = 5000;
    batch.output = 7;
    traffic.classes = {chat, batch};
    int batches = 0;
    for (const Request& request : draw_requests(traffic, 1).all) {
        batches += request.kind;
        ASSERT_EQ(request.prompt, request.kind == 0 ? 100 : 5000);
        ASSERT_EQ(request.output, request.kind == 0 ? 128 : 7);
    }
    EXPECT_NEAR(batches, 5000, 245);
    // Neither arrivals nor the classes of others depend on a class's lengths.
    const Requests before = draw_requests(traffic, 1);
    traffic.classes[0].prompt_spread = 1.0;
    const Requests after = draw_requests(traffic, 1);
    for (std::size_t i = 0; i < before.all.size(); ++i) {
        ASSERT_EQ(before.all[i].arrival, after.all[i].arrival);
        ASSERT_EQ(before.all[i].kind, after.all[i].kind);
    }
}

/// Draws of less than one and a half count as one.
TEST(RequestDraws, TheirMeanIsKnown) {
    constexpr int draws = 200'000;
    for (const auto& [mean, spread] : {std::pair{2.0, 1.5}, {6.0, 0.7}, {100.0, 1.0}, {3.0, 0.01}}) {
        Random random{7};
        double sum = 0.0;
        for (int i = 0; i < draws; ++i) sum += draw_tokens(mean, spread, random);
        EXPECT_NEAR(mean_tokens(mean, spread), sum / draws, 0.01 * mean);
    }
    EXPECT_EQ(mean_tokens(4.0, 0.0), 4.0);
    EXPECT_NEAR(mean_tokens(2.0, 1.5), 2.378, 0.001);
}

}  // namespace
}  // namespace dse::serving
