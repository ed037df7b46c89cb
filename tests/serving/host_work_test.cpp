#include "serving/host_work.hpp"

#include <array>

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

/// The host launches the kernels of each chunk in 4 ticks, and captured graphs in no time.
class Launches final : public StepTime {
  public:
    DecodeLine decode(const Decodes& /*decodes*/) override { return {}; }
    Ticks mixed(std::span<const Chunk> /*chunks*/, const Decodes& /*decodes*/) override { return 0; }
    Ticks launches(std::span<const Batch> ranks) override {
        Ticks time = 0;
        for (const Batch& batch : ranks) time += 4 * std::ssize(batch.chunks);
        return time;
    }
};

Seconds ticks(double number) {
    return Seconds{number * to_seconds(1)};
}

/// 6 ticks a step, 2 for each sequence, and 5 between steps.
class Host : public ::testing::Test {
  protected:
    Host() {
        engine_.host_time = ticks(6);
        engine_.host_time_sequence = ticks(2);
        engine_.step_gap = ticks(5);
    }

    Ticks step(Ticks preparation, Ticks device_time, std::span<const Batch> batches = {}) {
        return HostWork{engine_}.step(preparation, device_time, launches_, batches);
    }

    graph::ServingEngine engine_;
    Launches launches_;
};

TEST_F(Host, PreparesEverySequence) {
    const HostWork host{engine_};
    EXPECT_EQ(host.preparation(0), 6);
    EXPECT_EQ(host.preparation(3), 6 + 3 * 2);
}

/// Launches are part of the devices' time.
TEST_F(Host, WorksBeforeTheDevices) {
    const std::array chunks{Chunk{0, 8}};
    const std::array batches{Batch{chunks, {}}};
    EXPECT_EQ(HostWork{engine_}.before_devices(12), 5 + 12);
    EXPECT_EQ(step(12, 100, batches), 5 + 12 + 100);
}

/// The longer of the two: 12 ticks and 4 for the launches of each of two chunks, or 5 and the devices' time.
TEST_F(Host, WorksAheadOfTheDevices) {
    engine_.asynchronous = true;
    const std::array chunks{Chunk{0, 8}, Chunk{0, 8}};
    const std::array batches{Batch{chunks, {}}};
    EXPECT_EQ(HostWork{engine_}.before_devices(12), 5);
    EXPECT_EQ(step(12, 16, batches), 5 + 16);
    EXPECT_EQ(step(12, 14, batches), 12 + 2 * 4);
    EXPECT_EQ(step(12, 6), 12) << "captured";
}

/// Everything is that of 2.5 steps, each part to the nearest tick.
TEST_F(Host, WorksForSeveralStepsAtOnce) {
    const HostWork host = HostWork{engine_}.of_steps(2.5);
    EXPECT_EQ(host.preparation(0), 15);
    EXPECT_EQ(host.preparation(3), 15 + 3 * 5);
    EXPECT_EQ(host.before_devices(0), 13) << "12.5 ticks between steps";
    EXPECT_FALSE(host.works_ahead());
    engine_.asynchronous = true;
    EXPECT_TRUE(HostWork{engine_}.of_steps(2.5).works_ahead());
}

}  // namespace
}  // namespace dse::serving
