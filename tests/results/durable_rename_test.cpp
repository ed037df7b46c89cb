#include "results/durable_rename.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results {
namespace {

TEST(DurableRename, PutsAFileInThePlaceOfAnother) {
    const dse::test::TemporaryFolder folder;
    const std::string from = folder.write("new", "new content");
    const std::string to = folder.write("old", "old content");
    durable_rename(from, to);
    EXPECT_EQ(dse::test::read_file(to), "new content");
    EXPECT_FALSE(std::filesystem::exists(from));
}

TEST(DurableRename, SaysWhatTheSystemRefuses) {
    const dse::test::TemporaryFolder folder;
    EXPECT_THROW(durable_rename(folder.path("missing"), folder.path("to")), InputError);
    const std::string from = folder.write("from", "");
    EXPECT_THROW(durable_rename(from, folder.path("no/such/folder")), InputError);
    EXPECT_TRUE(std::filesystem::exists(from));
}

}  // namespace
}  // namespace dse::results
