#include "dse/base/unfinished_files.hpp"

#include <csignal>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dse/base/output_file.hpp"
#include "support/temporary_folder.hpp"

namespace dse {
namespace {

/// Runs work in a process of its own, which ends with 0 unless a signal ends it. \return its wait status
int status_of(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

TEST(UnfinishedFiles, GoWithTheProcessThatASignalEnds) {
    const test::TemporaryFolder folder;
    const std::string half = folder.path("half.txt");
    const std::string whole = folder.path("whole.txt");
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const int status = status_of([&] {
            OutputFile done{whole, Existing::replace};
            done.stream() << "all of it";
            done.close();
            OutputFile begun{half, Existing::replace};
            begun.stream() << "the beginning" << std::flush;
            std::raise(signal);
        });
        ASSERT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(WTERMSIG(status), signal);
        EXPECT_FALSE(std::filesystem::exists(half));
        EXPECT_TRUE(std::filesystem::exists(whole));
    }
}

/// Such a process is about to end in its own way.
TEST(UnfinishedFiles, StayWhereTheSignalIsHandled) {
    const test::TemporaryFolder folder;
    const std::string file = folder.write("file.txt", "x");
    const int status = status_of([&] {
        std::signal(SIGTERM, SIG_IGN);
        remove_on_signal(file);
        std::raise(SIGTERM);
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(UnfinishedFiles, AreAsManyAsThereAre) {
    const test::TemporaryFolder folder;
    std::vector<std::string> files;
    for (int i = 0; i < 80; ++i) files.push_back(folder.write(std::to_string(i), "x"));
    const int status = status_of([&] {
        for (const std::string& file : files) remove_on_signal(file);
        for (int i = 0; i < 80; i += 2) keep_on_signal(files[static_cast<std::size_t>(i)]);
        keep_on_signal("never announced");
        std::raise(SIGTERM);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(std::filesystem::exists(files[i]), i % 2 == 0) << i;
}

}  // namespace
}  // namespace dse
