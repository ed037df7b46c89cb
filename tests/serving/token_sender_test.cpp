#include "dse/serving/token_sender.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::serving {
namespace {

TEST(TokenSender, SendsOneTokenAfterAnother) {
    TokenSender sender{10};
    sender.send(100, 3);
    EXPECT_EQ(sender.arrived(), 130);
    sender.send(110, 2);
    EXPECT_EQ(sender.arrived(), 150) << "it is busy until 130";
    sender.send(400, 1);
    EXPECT_EQ(sender.arrived(), 410);
}

TEST(TokenSender, TokensArriveWithTheirStepIfSendingTakesNoTime) {
    TokenSender sender{0};
    sender.send(100, 3);
    EXPECT_EQ(sender.arrived(), 100);
}

/// 2^61 ticks a token: of 8 tokens, or of 8 steps, 2^64, which is 0.
TEST(TokenSender, RefusesToSendForLongerThanARun) {
    constexpr Ticks token = Ticks{1} << 61;
    EXPECT_THROW(TokenSender{token}.send(0, 8), ModelError);
    EXPECT_THROW(TokenSender{token}.send(0, Pace{20, 0, 100}, 9, 1, [](Ticks, Ticks, std::int64_t) {}),
                 ModelError);
}

/// A run of steps is as its steps one by one: never behind, always, at first, and later.
TEST(TokenSender, RunsAreAsTheirSteps) {
    for (const Ticks token_time : {0, 1, 3, 7, 40}) {
        for (const Ticks busy : {0, 90, 300}) {
            for (const Pace pace : {Pace{20, 0, 100}, Pace{20, 1, 100}, Pace{3, 2, 100}, Pace{200, 5, 100}}) {
                for (const std::int64_t steps : {1, 2, 3, 17, 60}) {
                    TokenSender whole{token_time};
                    TokenSender single{token_time};
                    whole.send(10 + busy, 0);
                    single.send(10 + busy, 0);
                    std::vector<Ticks> expected;
                    const Ticks start = 10 + (token_time == 0 ? busy : 0);
                    Ticks last = std::max(single.arrived(), start);
                    for (std::int64_t step = 1; step <= steps; ++step) {
                        single.send(start + pace.duration(step), 4);
                        expected.push_back(single.arrived() - last);
                        last = single.arrived();
                    }
                    std::vector<Ticks> found;
                    whole.send(start, pace, steps, 4, [&](Ticks first, Ticks growth, std::int64_t number) {
                        for (std::int64_t i = 0; i < number; ++i) found.push_back(first + i * growth);
                    });
                    EXPECT_EQ(found, expected)
                        << token_time << ' ' << busy << ' ' << pace.first << ' ' << steps;
                    EXPECT_EQ(whole.arrived(), single.arrived());
                }
            }
        }
    }
}

}  // namespace
}  // namespace dse::serving
