#include "dse/dist/crash_record.hpp"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::dist {
namespace {

using dse::test::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// A process that a signal ends while it evaluates a point.
/// \return the signal
int fault_at(const TemporaryFolder& folder, int rank, std::uint64_t index, int signal) {
    const pid_t child = fork();
    if (child == 0) {
        // Whatever a sanitizer does about faults must not end the process in its stead.
        for (const int fault : {SIGSEGV, SIGABRT, SIGFPE}) std::signal(fault, SIG_DFL);
        CrashRecord record{folder.path(), rank};
        record.begin(index);
        std::raise(signal);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(CrashRecord, NamesThePointThatAFaultHit) {
    const TemporaryFolder folder;
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) {
        EXPECT_EQ(fault_at(folder, signal, 70, signal), signal) << "the signal must still end the process";
    }
    EXPECT_THAT(gather_crashes(folder.path()), ElementsAre(Pair(70U, 3)));
}

TEST(CrashRecord, AddsUpOverRuns) {
    const TemporaryFolder folder;
    fault_at(folder, 1, 7, SIGSEGV);
    EXPECT_THAT(gather_crashes(folder.path()), ElementsAre(Pair(7U, 1)));
    EXPECT_THAT(gather_crashes(folder.path()), ElementsAre(Pair(7U, 1)));
    fault_at(folder, 1, 7, SIGABRT);
    fault_at(folder, 2, 9, SIGABRT);
    EXPECT_THAT(gather_crashes(folder.path()), ElementsAre(Pair(7U, 2), Pair(9U, 1)));
}

TEST(CrashRecord, DoesNotBlameAPointForAKill) {
    const TemporaryFolder folder;
    EXPECT_EQ(fault_at(folder, 1, 7, SIGKILL), SIGKILL);
    EXPECT_EQ(point_in_flight(folder.path(), 1), 7U);
    EXPECT_THAT(gather_crashes(folder.path()), IsEmpty());
    EXPECT_EQ(point_in_flight(folder.path(), 1), std::nullopt);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CrashRecord, IsRemovedByAProcessThatEnds) {
    const TemporaryFolder folder;
    {
        CrashRecord record{folder.path(), 4};
        EXPECT_EQ(point_in_flight(folder.path(), 4), std::nullopt);
        record.begin(0);
        EXPECT_EQ(point_in_flight(folder.path(), 4), 0U);
        EXPECT_EQ(point_in_flight(folder.path(), 5), std::nullopt);
        record.end();
        EXPECT_EQ(point_in_flight(folder.path(), 4), std::nullopt);
        // Gathering does not touch the record of a process between points.
        gather_crashes(folder.path());
        record.begin(3);
        EXPECT_EQ(point_in_flight(folder.path(), 4), 3U);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CrashRecord, NeedsAPlace) {
    EXPECT_THROW((CrashRecord{"/proc/no/such/folder", 0}), InputError);
}

}  // namespace
}  // namespace dse::dist
