#include "dse/config/file_name.hpp"

#include <gtest/gtest.h>

namespace dse::config {
namespace {

TEST(IsPath, TellsFilesFromEntriesOfTheLibrary) {
    EXPECT_TRUE(is_path("./mine.yaml"));
    EXPECT_TRUE(is_path("mine.yaml"));
    EXPECT_TRUE(is_path("chips/mine"));
    EXPECT_FALSE(is_path("h100_sxm"));
    EXPECT_FALSE(is_path(""));
}

}  // namespace
}  // namespace dse::config
