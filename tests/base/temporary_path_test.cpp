#include "dse/base/temporary_path.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryPath, IsThereForAsLongAsItLives) {
    fs::path path;
    {
        const TemporaryPath file = TemporaryPath::file("dse-test");
        const TemporaryPath other = TemporaryPath::file("dse-test");
        EXPECT_NE(file.path(), other.path());
        EXPECT_EQ(file.path().filename().string().substr(0, 9), "dse-test-");
        EXPECT_EQ(fs::file_size(file.path()), 0U);
        path = file.path();
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryPath, TakesWhatIsInAFolderWithIt) {
    fs::path path;
    {
        const TemporaryPath folder = TemporaryPath::folder("dse-test");
        path = folder.path();
        std::ofstream{path / "file"} << "text";
        EXPECT_TRUE(fs::exists(path / "file"));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, IsNamedWhereItIsMissing) {
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    setenv("TMPDIR", "/no/such/folder", 1);
    try {
        static_cast<void>(temporary_folder());
        ADD_FAILURE() << "there is a folder";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "there is no folder for temporary files: TMPDIR is /no/such/folder");
    }
    if (before == nullptr) {
        unsetenv("TMPDIR");
    } else {
        setenv("TMPDIR", kept.c_str(), 1);
    }
}

TEST(TemporaryPath, NeedsAFolderToWriteTo) {
    EXPECT_THROW(TemporaryPath::file("no/such/folder"), InputError);
    EXPECT_THROW(TemporaryPath::folder("no/such/folder"), InputError);
}

}  // namespace
}  // namespace dse
