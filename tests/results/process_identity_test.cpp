#include "results/process_identity.hpp"

#include <csignal>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dse/results/provenance.hpp"

namespace dse::results {
namespace {

TEST(ProcessIdentity, KnowsThisProcess) {
    EXPECT_EQ(liveness(this_process()), Liveness::alive);
    EXPECT_EQ(describe(this_process()), fmt::format("process {} on host {}", getpid(), host_name()));
}

TEST(ProcessIdentity, TellsAProcessFromALaterOneOfTheSameId) {
    EXPECT_EQ(liveness(fmt::format("{} {} 1", host_name(), getpid())), Liveness::dead);
}

TEST(ProcessIdentity, TakesAKilledProcessForDeadBeforeItsParentNoticed) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const std::string identity = this_process();
        const auto written = write(ends[1], identity.data(), identity.size());
        for (;;) pause();
        _exit(static_cast<int>(written));
    }
    std::array<char, 512> text{};
    ASSERT_GT(read(ends[0], text.data(), text.size() - 1), 0);
    EXPECT_EQ(liveness(text.data()), Liveness::alive);
    kill(child, SIGKILL);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);  // leaves the zombie
    EXPECT_EQ(liveness(text.data()), Liveness::dead);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(liveness(text.data()), Liveness::dead);
    close(ends[0]);
    close(ends[1]);
}

TEST(ProcessIdentity, CannotSeeOtherMachines) {
    EXPECT_EQ(liveness("no-such-host 1 1"), Liveness::on_another_machine);
}

TEST(ProcessIdentity, TakesATextThatNamesNobodyForDead) {
    EXPECT_EQ(liveness(""), Liveness::dead);
    EXPECT_EQ(liveness("torn 12"), Liveness::dead);
}

}  // namespace
}  // namespace dse::results
