#include "results/guarded_child.hpp"

#include <array>
#include <csignal>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
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

TEST(GuardedChild, EndsWithItsParent) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
        ::close(pipe[0]);
        const auto work = [&] {
            static_cast<void>(::write(pipe[1], "x", 1) < 0);
            ::pause();
        };
        static_cast<void>(run_guarded(work, {}));
        ::_exit(0);
    }
    ::close(pipe[1]);
    char started{};
    EXPECT_EQ(::read(pipe[0], &started, 1), 1);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    // The pipe has no writer as soon as the child has ended, too.
    pollfd closed{.fd = pipe[0], .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&closed, 1, 10'000), 1) << "it runs without its parent";
    EXPECT_EQ(::read(pipe[0], &started, 1), 0);
    ::close(pipe[0]);
}

TEST(GuardedChild, MayNotTakeAllMemory) {
    if (!memory_is_limited) GTEST_SKIP() << "AddressSanitizer reserves more addresses than any limit leaves";
    const auto hoard = [] { std::vector<char>(std::size_t{1} << 36U).back() = 1; };
    EXPECT_THAT(run_guarded(hoard, {}), HasSubstr("more memory"));
}

}  // namespace
}  // namespace dse::results
