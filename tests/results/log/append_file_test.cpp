#include "results/log/append_file.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/small_files.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results::test {
namespace {

using dse::test::read_file;
using dse::test::TemporaryFolder;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}

TEST(AppendFile, Grows) {
    const TemporaryFolder folder;
    AppendFile file{folder.path("log")};
    file.append(bytes_of("one "));
    file.append(bytes_of("two"));
    EXPECT_EQ(read_file(folder.path("log")), "one two");
    EXPECT_EQ(file.size(), 7U);
}

TEST(AppendFile, WritesOverNothingAndThroughNoLink) {
    const TemporaryFolder folder;
    const std::string there = folder.write("there", "mine");
    std::filesystem::create_symlink(there, folder.path("link"));
    std::filesystem::create_symlink(folder.path("nowhere"), folder.path("dangling"));
    for (const char* name : {"there", "link", "dangling"}) {
        EXPECT_THROW(AppendFile{folder.path(name)}, InputError) << name;
    }
    EXPECT_EQ(read_file(there), "mine");
    EXPECT_FALSE(std::filesystem::exists(folder.path("nowhere")));
}

TEST(AppendFile, HoldsNothingOfWhatHasNoRoom) {
    const TemporaryFolder folder;
    AppendFile file{folder.path("log")};
    file.append(bytes_of("12345678"));
    const SmallFiles limit{12};
    try {
        file.append(bytes_of("a batch"));
        ADD_FAILURE() << "there is no room for it";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("File too large"));
    }
    EXPECT_EQ(read_file(folder.path("log")), "12345678");
}

TEST(AppendFile, WithoutANameLeavesNothing) {
    const TemporaryFolder folder;
    AppendFile file = AppendFile::nameless(folder.path());
    file.append(bytes_of("rows"));
    EXPECT_EQ(read_file(file.path()), "rows");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_THROW(AppendFile::nameless(folder.path("no such folder")), InputError);
}

}  // namespace
}  // namespace dse::results::test
