#include "dse/base/checkpoint.hpp"

#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace dse {
namespace {

constexpr std::uint64_t many = 1'000'000;

TEST(Checkpoint, DoesNothingWhereNobodyAsks) {
    EXPECT_NO_THROW(checkpoint(many));
}

TEST(Checkpoint, AsksOnceForManySteps) {
    int asked = 0;
    const CheckpointScope scope{[&] { ++asked; }};
    checkpoint(many);
    EXPECT_EQ(asked, 1);
    checkpoint(1);
    EXPECT_EQ(asked, 1) << "a short piece of work is not asked";
    for (std::uint64_t step = 0; step < many; ++step) checkpoint(1);
    EXPECT_EQ(asked, 1 + many / 65'536);
}

TEST(Checkpoint, NeverAsksShortWork) {
    checkpoint(60'000);
    const CheckpointScope scope{[] { FAIL() << "steps before it are not its own"; }};
    checkpoint(60'000);
}

TEST(Checkpoint, EndsTheWorkWithWhatIsThrown) {
    const CheckpointScope scope{[] { throw std::runtime_error{"enough"}; }};
    EXPECT_THROW(checkpoint(many), std::runtime_error);
    EXPECT_THROW(checkpoint(many), std::runtime_error) << "each time";
}

TEST(Checkpoint, AsksTheInnermostScopeOfItsThread) {
    int outer = 0;
    int inner = 0;
    const CheckpointScope outside{[&] { ++outer; }};
    {
        const CheckpointScope inside{[&] { ++inner; }};
        checkpoint(many);
        std::thread{[] { checkpoint(many); }}.join();
    }
    EXPECT_EQ(inner, 1);
    EXPECT_EQ(outer, 0);
    checkpoint(many);
    EXPECT_EQ(outer, 1);
}

}  // namespace
}  // namespace dse
