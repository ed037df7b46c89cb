#include "dse/base/temporary_path.hpp"

#include <fstream>

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

TEST(TemporaryPath, NeedsAFolderToWriteTo) {
    EXPECT_THROW(TemporaryPath::file("no/such/folder"), InputError);
    EXPECT_THROW(TemporaryPath::folder("no/such/folder"), InputError);
}

}  // namespace
}  // namespace dse
