#include "dse/config/file_name.hpp"

#include <filesystem>
#include <memory>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace dse::config {
namespace {

TEST(IsPath, TellsFilesFromEntriesOfTheLibrary) {
    EXPECT_TRUE(is_path("./mine.yaml"));
    EXPECT_TRUE(is_path("mine.yaml"));
    EXPECT_TRUE(is_path("chips/mine"));
    EXPECT_FALSE(is_path("h100_sxm"));
    EXPECT_FALSE(is_path(""));
}

TEST(PathBeside, WinsOverTheWorkingFolder) {
    const test::TemporaryFolder folder;
    folder.write("study/both.yaml", "a: 1\n");
    folder.write("study/only.yaml", "a: 1\n");
    folder.write("both.yaml", "a: 2\n");
    const Location sweep{std::make_shared<const std::string>(folder.path("study/sweep.yaml")), 1, 1};
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path(""));
    EXPECT_EQ(path_beside("./both.yaml", sweep), folder.path("study/both.yaml"));
    EXPECT_EQ(path_beside("./only.yaml", sweep), "./only.yaml") << "there is only one such file";
    EXPECT_EQ(path_beside("both.yaml", {}), "both.yaml") << "of the command line";
    EXPECT_EQ(path_beside("both", sweep), "both") << "an entry of the library";
    std::filesystem::current_path(folder.path("study"));
    EXPECT_EQ(path_beside("./both.yaml", sweep), "./both.yaml") << "the same file";
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace dse::config
