#include "eval/serving_memory.hpp"

#include <random>

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

using graph::MemoryKind;

StageNeed need(double parameters, double cache, double activations) {
    StageNeed stage;
    stage.resident[static_cast<std::size_t>(MemoryKind::parameters)] = parameters;
    stage.resident[static_cast<std::size_t>(MemoryKind::kv_cache)] = cache;
    stage.passing[static_cast<std::size_t>(MemoryKind::activations)] = activations;
    stage.resident_total = parameters + cache;
    stage.passing_total = activations;
    return stage;
}

TEST(ServingPeak, IsThatOfTheFullestStageWithThePromptWhereThatNeedsMore) {
    const std::vector<StageNeed> stages{need(10, 5, 1), need(8, 5, 4)};
    sim::MemoryPeak peak = serving_peak(stages, {});
    EXPECT_EQ(peak.stage, 1U);
    EXPECT_EQ(peak.total, 17.0);
    EXPECT_EQ(peak.by_kind[static_cast<std::size_t>(MemoryKind::activations)], 4.0);
    const std::vector<StageNeed> prompt{need(10, 1, 6), need(8, 1, 3)};
    peak = serving_peak(stages, prompt);
    EXPECT_EQ(peak.stage, 0U);
    EXPECT_EQ(peak.total, 21.0) << "10 + 5, and 6 of the prompt in the place of 1";
    EXPECT_EQ(peak.by_kind[static_cast<std::size_t>(MemoryKind::kv_cache)], 5.0);
}

/// 100 - 40 bytes of room; a sequence takes 3 of cache and 2 of activations: 12. With prompts of 30: 30 / 3
/// = 10.
TEST(BatchLimit, IsWhatTheRoomHolds) {
    const std::vector<StageNeed> one{need(40, 3, 2)};
    EXPECT_EQ(batch_limit(one, {}, {1, 1, 1, false}, 100), 12);
    EXPECT_EQ(batch_limit(one, {}, {1, 1, 4, false}, 100), 48) << "of four replicas";
    std::vector<StageNeed> recurrent{need(40, 2, 2)};
    recurrent[0].resident[static_cast<std::size_t>(MemoryKind::recurrent_state)] = 1;
    recurrent[0].resident_total += 1;
    EXPECT_EQ(batch_limit(recurrent, {}, {1, 1, 1, false}, 100), 12) << "of the three, one is its state";
    EXPECT_EQ(batch_limit(one, {}, {1, 1, 1, false}, 44.9), 0);
    const std::vector<StageNeed> prompt{need(40, 3, 30)};
    EXPECT_EQ(batch_limit(one, prompt, {1, 1, 1, false}, 100), 10);
}

/// Two parts under way: their caches are there together, the activations of one at a time. 60 / (2·3 + 2) = 7
/// sequences a part; of 8 bytes of room one part of one sequence fits, of 5 likewise.
TEST(BatchLimit, CountsPartsOfAPipeline) {
    const std::vector<StageNeed> stage{need(40, 6, 2)};
    EXPECT_EQ(batch_limit(stage, {}, {1, 2, 1, true}, 100), 14);
    EXPECT_EQ(batch_limit(stage, {}, {1, 2, 1, true}, 45), 1);
    EXPECT_EQ(batch_limit(stage, {}, {1, 2, 1, false}, 45), 0) << "two parts were asked for";
}

TEST(BatchLimit, IsWhatASearchFinds) {
    std::mt19937_64 random(3);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    for (int round = 0; round < 2000; ++round) {
        const BatchShape shape{draw(1, 5), draw(1, 4), draw(1, 3), draw(0, 1) == 1};
        std::vector<StageNeed> a_sequence;
        std::vector<StageNeed> prompt;
        for (std::int64_t stage = draw(1, 3); stage > 0; --stage) {
            a_sequence.push_back(need(static_cast<double>(draw(1, 1000)), static_cast<double>(draw(1, 90)),
                                      static_cast<double>(draw(0, 90))));
            prompt.push_back(need(0, 0, static_cast<double>(draw(0, 500))));
        }
        const auto at = [&](std::int64_t size, std::int64_t parts) {
            std::vector<StageNeed> stages;
            for (const StageNeed& one : a_sequence) {
                const double cache = one.resident[static_cast<std::size_t>(MemoryKind::kv_cache)];
                stages.push_back(need(one.resident_total - cache, cache * static_cast<double>(size * parts),
                                      one.passing_total * static_cast<double>(size)));
            }
            return stages;
        };
        const auto capacity = static_cast<double>(draw(1, 4000));
        const auto fits = [&](std::int64_t size, std::int64_t parts) {
            return serving_peak(at(size, parts), prompt).total <= capacity;
        };
        std::int64_t found = 0;
        while (fits(found + 1, shape.parts)) ++found;
        std::int64_t expected = found * shape.parts;
        for (std::int64_t parts = shape.parts - 1; shape.may_have_fewer_parts && found == 0 && parts > 0;
             --parts) {
            if (!fits(1, parts)) continue;
            expected = parts;
            break;
        }
        EXPECT_EQ(batch_limit(at(shape.size, shape.parts), prompt, shape, capacity),
                  expected * shape.replicas)
            << round;
    }
}

}  // namespace
}  // namespace dse::eval
