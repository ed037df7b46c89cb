#include "dse/serving/front_end.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

graph::ServingEngine engine(Ticks accept, Ticks tokenize, Ticks way) {
    graph::ServingEngine engine;
    engine.accept_time = Seconds{to_seconds(accept)};
    engine.tokenize_time = Seconds{to_seconds(tokenize)};
    engine.request_time = Seconds{to_seconds(way)};
    return engine;
}

/// Three arrive together, and are accepted after 3 · 40; prompts of 5 tokens take 10 each, one after the
/// other.
TEST(FrontEnd, WhoArrivesTogetherIsAcceptedTogether) {
    const std::vector<Request> requests(3, Request{100, 5});
    const auto request_of = [&](std::size_t number) -> const Request& { return requests[number]; };
    FrontEnd front_end{engine(40, 2, 7)};
    EXPECT_TRUE(front_end.accepts_together());
    for (std::size_t i = 0; i < 3; ++i) {
        const Ticks ready = front_end.ready(i, 3, request_of);
        EXPECT_EQ(ready, 100 + 120 + 10 * static_cast<Ticks>(i + 1) + 7);
        front_end.passed(requests[i], ready);
    }
}

/// One that joins those who arrived with it delays them; the next burst waits for the one before.
TEST(FrontEnd, BurstsWaitForOneAnother) {
    const std::vector<Request> requests{{100, 5}, {100, 5}, {130, 5}};
    const auto request_of = [&](std::size_t number) -> const Request& { return requests[number]; };
    FrontEnd front_end{engine(40, 0, 0)};
    EXPECT_EQ(front_end.ready(0, 1, request_of), 140);
    EXPECT_EQ(front_end.ready(0, 3, request_of), 180);
    front_end.passed(requests[0], 180);
    EXPECT_EQ(front_end.ready(1, 3, request_of), 180);
    front_end.passed(requests[1], 180);
    EXPECT_EQ(front_end.ready(2, 3, request_of), 220);
}

}  // namespace
}  // namespace dse::serving
