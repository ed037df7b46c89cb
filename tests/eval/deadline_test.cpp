#include "dse/eval/deadline.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

TEST(Deadline, IsNotOverBeforeItsTime) {
    EXPECT_NO_THROW(Deadline{Seconds{3600.0}}.check());
}

TEST(Deadline, IsOverAfterIt) {
    const Deadline deadline{Seconds{1e-3}};
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
    try {
        deadline.check();
        FAIL() << "it is not over";
    } catch (const OutOfTime& error) {
        EXPECT_STREQ(error.what(), "took longer than 1 ms (fidelity.time_limit)");
    }
}

TEST(Deadline, ThereMayBeNone) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    EXPECT_NO_THROW(Deadline{}.check());
    EXPECT_NO_THROW(Deadline{Seconds{0.0}}.check());
}

}  // namespace
}  // namespace dse::eval
