#include "dse/config/file_name.hpp"

#include <filesystem>

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

TEST(PathFrom, NamesFromAnotherFolderWhatTheWorkingFolderHas) {
    const test::TemporaryFolder folder;
    for (const char* file : {"study/both.yaml", "study/theirs.yaml", "both.yaml", "mine.yaml"})
        folder.write(file, "a: 1\n");
    const std::string study = folder.path("study");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path(""));
    EXPECT_EQ(path_from(study, "./mine.yaml"), "../mine.yaml");
    EXPECT_EQ(path_from(study, "both.yaml"), "../both.yaml") << "there are two of this name";
    EXPECT_EQ(path_from(study, "study/both.yaml"), "both.yaml");
    EXPECT_EQ(path_from(study, "./theirs.yaml"), "./theirs.yaml") << "there is none here";
    EXPECT_EQ(path_from(study, folder.path("mine.yaml")), folder.path("mine.yaml"));
    EXPECT_EQ(path_from(study, "both"), "both") << "an entry of the library";
    EXPECT_EQ(path_from("", "./mine.yaml"), "./mine.yaml");
    std::filesystem::current_path(study);
    EXPECT_EQ(path_from(study, "./both.yaml"), "./both.yaml");
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace dse::config
