#include "eval/serve/state_room.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

using graph::Scheduler;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// States of 10 bytes beside pages of 4.
class States : public ::testing::Test {
  protected:
    [[nodiscard]] StateRoom room(double rest = 1910.0) const { return state_room(10.0, 4.0, rest, engine_); }
    void draft(std::int64_t tokens) {
        engine_.speculative = graph::Speculation::mtp;
        engine_.speculative_tokens = tokens;
    }

    graph::ServingEngine engine_;
};

/// ceil(10 / 4); with two draft tokens ceil(30 / 4).
TEST_F(States, TakePagesUnderVllm) {
    EXPECT_EQ(room().pages, 3);
    EXPECT_EQ(room().bytes, 0.0);
    EXPECT_EQ(room().sequences, engine_.max_sequences);
    draft(2);
    EXPECT_EQ(room().pages, 8);
}

/// One for each request; with one draft token two more.
TEST_F(States, AreThoseOfAllSequencesUnderTensorRt) {
    engine_.scheduler = Scheduler::tensorrt;
    engine_.max_sequences = 5;
    EXPECT_EQ(room().bytes, 50.0);
    EXPECT_EQ(room().pages, 0);
    EXPECT_EQ(room().sequences, 5);
    draft(1);
    EXPECT_EQ(room().bytes, 150.0);
}

/// 0.9 / 1.9 of 1,910 bytes are 904: 90 states, of which 30 requests may run. With two draft tokens, each of
/// a third of the states has three more: 904 / (10 (1 + 3/3)) = 45, 15 run, 10 (45 + 3 · 15) bytes.
TEST_F(States, HaveAShareUnderSglang) {
    engine_.scheduler = Scheduler::sglang;
    engine_.prefix_cache = true;
    EXPECT_EQ(room().bytes, 900.0);
    EXPECT_EQ(room().sequences, 30);
    draft(2);
    EXPECT_EQ(room().bytes, 900.0);
    EXPECT_EQ(room().sequences, 15);
    engine_.max_sequences = 4;
    EXPECT_EQ(room().bytes, 10.0 * (45 + 3 * 4));
    EXPECT_EQ(room().sequences, 4);
}

TEST_F(States, AreThoseOfRunningRequestsUnderSglangWithoutAPrefixCache) {
    engine_.scheduler = Scheduler::sglang;
    engine_.max_sequences = 50;
    EXPECT_EQ(room().bytes, 500.0);
    EXPECT_EQ(room().sequences, 50);
    engine_.max_sequences = 256;  // 2,560 bytes do not fit
    EXPECT_EQ(room().bytes, 900.0);
    EXPECT_EQ(room().sequences, 90);
}

TEST_F(States, NeedRoom) {
    const auto expect_none = [&](Scheduler scheduler, double rest) {
        engine_.scheduler = scheduler;
        EXPECT_THAT([&] { return room(rest); },
                    ThrowsMessage<ModelError>(HasSubstr("states of recurrent layers have no room")));
    };
    expect_none(Scheduler::vllm, 11.0);
    expect_none(Scheduler::tensorrt, 2559.0);
    expect_none(Scheduler::sglang, 20.0);
}

}  // namespace
}  // namespace dse::eval
