#include "results/owner_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/results/provenance.hpp"
#include "results/process_identity.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results {
namespace {

using dse::test::TemporaryFolder;

bool refused(const std::string& path) {
    try {
        const OwnerFile owner{path};
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("is writing to this output"));
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

TEST(OwnerFile, ClearsAwayWhatDeadProcessesHaveLeftAndNothingElse) {
    const TemporaryFolder folder;
    folder.write("owner.12", "");
    folder.write("owner.13.dead", fmt::format("{} 1 7", host_name()));  // process 1 began at another time
    folder.write("owner.14", "another-host 12 345");
    folder.write("owner.15", this_process());
    const OwnerFile owner{folder.path("owner")};
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path()}) {
        names.push_back(entry.path().filename().string());
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre("owner", "owner.14", "owner.15"));
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
