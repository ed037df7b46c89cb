// Also tests: descriptor_buffer.cpp
#include "dse/base/output_file.hpp"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OutputFileTest : public ::testing::Test {
  protected:
    void write(const std::string& path, const std::string& text, Existing existing) {
        OutputFile file{path, existing};
        file.stream() << text;
        file.close();
    }
    [[nodiscard]] std::string error_of(const std::string& path) {
        try {
            write(path, "new", Existing::refuse);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    test::TemporaryFolder folder_;
};

TEST_F(OutputFileTest, ReplacesWhatIsThereOnlyWhenToldTo) {
    const std::string path = folder_.path("a");
    write(path, "old", Existing::refuse);
    EXPECT_THAT(error_of(path), HasSubstr("already exists (--force overwrites it)"));
    EXPECT_EQ(test::read_file(path), "old");
    write(path, "new", Existing::replace);
    EXPECT_EQ(test::read_file(path), "new");
}

// A link that leads nowhere would make a file somewhere else.
TEST_F(OutputFileTest, FollowsNoLinkUnasked) {
    const std::string target = folder_.path("target");
    const std::string link = folder_.path("link");
    fs::create_symlink(target, link);
    EXPECT_THAT(error_of(link), HasSubstr("a symbolic link"));
    EXPECT_FALSE(fs::exists(target));
    write(link, "new", Existing::replace);
    EXPECT_EQ(test::read_file(target), "new");
}

TEST_F(OutputFileTest, WritesToDevicesAndLeavesThem) {
    EXPECT_NO_THROW(write("/dev/null", "new", Existing::refuse));
    { const OutputFile unfinished{"/dev/null", Existing::refuse}; }
    EXPECT_TRUE(fs::exists("/dev/null"));
    EXPECT_THAT(error_of("/dev/full"), HasSubstr("No space left"));
}

TEST_F(OutputFileTest, LeavesNoPartOfAFile) {
    const std::string path = folder_.path("a");
    {
        OutputFile file{path, Existing::refuse};
        file.stream() << "half";
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(OutputFileTest, CallsAFullDiskSo) {
    OutputFile file{"/dev/full", Existing::refuse};
    file.stream() << std::string(100'000, 'x');  // more than a stream keeps until it is closed
    try {
        file.close();
        FAIL() << "/dev/full took it";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "cannot write '/dev/full': No space left on device");
    }
}

// The reason is that of the first write that failed, not that of another file on the same disk.
TEST_F(OutputFileTest, CallsALimitOfSizesSo) {
    const std::string path = folder_.path("a");
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 4096;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string error;
    try {
        OutputFile file{path, Existing::refuse};
        file.stream() << std::string(100'000, 'x');
        file.close();
    } catch (const InputError& thrown) {
        error = thrown.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(error, HasSubstr("File too large"));
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(OutputFileTest, KeepsTextOfAnyLength) {
    const std::string path = folder_.path("a");
    const std::string line(65'535, 'x');
    write(path, line + "y" + line + "z", Existing::refuse);
    EXPECT_EQ(test::read_file(path), line + "y" + line + "z");
}

TEST_F(OutputFileTest, SaysWhyAFileCannotBeMade) {
    EXPECT_THAT(error_of(folder_.path("no/folder")), HasSubstr("there is no folder"));
}

}  // namespace
}  // namespace dse
