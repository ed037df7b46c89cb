#include "results/guarded_child.hpp"

#include <csignal>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::results {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

TEST(GuardedChild, EndsWithoutTrouble) {
    int here = 1;
    EXPECT_EQ(run_guarded([&] { here = 2; }, {}), "");
    EXPECT_EQ(here, 1) << "what the child changes is its own";
}

TEST(GuardedChild, PassesOnWhatWasThrown) {
    EXPECT_EQ(run_guarded([] { throw InputError("column 'tp' is missing"); }, {}), "column 'tp' is missing");
}

TEST(GuardedChild, SurvivesASignal) {
    EXPECT_THAT(run_guarded([] { std::raise(SIGSEGV); }, {}), HasSubstr("signal 11"));
    EXPECT_THAT(run_guarded([] { std::raise(SIGABRT); }, {}), HasSubstr("signal 6"));
    EXPECT_THAT(run_guarded([] { ::_exit(7); }, {}), HasSubstr("gave up"));
}

TEST(GuardedChild, DoesNotWaitForEver) {
    EXPECT_THAT(run_guarded([] { ::pause(); }, {.time = seconds{1}}), HasSubstr("takes too long"));
    const auto spin = [] {
        while (::getppid() > 0) continue;
    };
    EXPECT_THAT(run_guarded(spin, {.time = seconds{1}}), HasSubstr("takes too long"));
}

TEST(GuardedChild, MayNotTakeAllMemory) {
    if (!memory_is_limited) GTEST_SKIP() << "AddressSanitizer reserves more addresses than any limit leaves";
    const auto hoard = [] { std::vector<char>(std::size_t{1} << 36U).back() = 1; };
    EXPECT_THAT(run_guarded(hoard, {}), HasSubstr("more memory"));
}

}  // namespace
}  // namespace dse::results
