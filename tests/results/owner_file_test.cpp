#include "dse/results/owner_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results {
namespace {

using dse::test::TemporaryFolder;

bool refused(const std::string& path) {
    try {
        const OwnerFile owner{path};
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("is at work on this output"));
        return true;
    }
    return false;
}

TEST(OwnerFile, KeepsASecondOwnerOutAsLongAsTheFirstLives) {
    const TemporaryFolder folder;
    const std::string path = folder.path("owner");
    {
        const OwnerFile first{path};
        EXPECT_TRUE(refused(path));
        EXPECT_TRUE(refused(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_FALSE(refused(path));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(OwnerFile, TakesOverFromTheDead) {
    const TemporaryFolder folder;
    const std::string path = folder.write("owner", "");
    EXPECT_FALSE(refused(path));
}

TEST(OwnerFile, WaitsForSignsOfLifeFromAnotherMachine) {
    const TemporaryFolder folder;
    const std::string path = folder.write("owner", "another-host 12 345");
    EXPECT_TRUE(refused(path));
    const auto now = std::filesystem::file_time_type::clock::now();
    std::filesystem::last_write_time(path, now - OwnerFile::patience / 2);
    EXPECT_TRUE(refused(path));
    std::filesystem::last_write_time(path, now - 2 * OwnerFile::patience);
    EXPECT_FALSE(refused(path));
}

TEST(OwnerFile, LeavesTheFileOfASuccessorAlone) {
    const TemporaryFolder folder;
    const std::string path = folder.path("owner");
    {
        const OwnerFile first{path};
        folder.write("owner", "another-host 12 345");
    }
    EXPECT_EQ(dse::test::read_file(path), "another-host 12 345");
}

TEST(OwnerFile, NeedsAFolder) {
    EXPECT_THROW(OwnerFile{"/no/such/folder/owner"}, InputError);
}

}  // namespace
}  // namespace dse::results
