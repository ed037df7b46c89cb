#include "results/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace dse::results {
namespace {

TEST(InParallel, DoesEverythingOnce) {
    std::vector<int> done(1000, 0);
    in_parallel(done.size(), [&](std::size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(1000, 1));
    in_parallel(0, [](std::size_t) { ADD_FAILURE(); });
}

TEST(InParallel, PassesOnWhatWasThrown) {
    std::atomic<int> done{0};
    const auto work = [&](std::size_t i) {
        if (i == 3) throw std::runtime_error{"three"};
        ++done;
    };
    EXPECT_THROW(in_parallel(100'000, work), std::runtime_error);
    EXPECT_LT(done, 100'000) << "the rest is left undone";
}

}  // namespace
}  // namespace dse::results
