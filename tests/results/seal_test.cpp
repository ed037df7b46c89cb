#include "results/seal.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results {
namespace {

using dse::test::read_file;
using dse::test::TemporaryFolder;

TEST(Seal, HoldsForWhatWasSealed) {
    const TemporaryFolder folder;
    const std::string file = folder.write("file", std::string(3'000'000, 'x'));
    seal(file);
    EXPECT_EQ(std::filesystem::file_size(file), 3'000'016U);
    EXPECT_TRUE(is_sealed(file));
}

TEST(Seal, BreaksWithAnyByte) {
    const TemporaryFolder folder;
    const std::string file = folder.write("file", "what was measured");
    seal(file);
    const std::string good = read_file(file);
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 1);
        EXPECT_FALSE(is_sealed(folder.write("damaged", bad))) << i;
    }
    EXPECT_FALSE(is_sealed(folder.write("longer", good + "x")));
    EXPECT_FALSE(is_sealed(folder.write("shorter", good.substr(1))));
}

TEST(Seal, IsNotOnOtherFiles) {
    const TemporaryFolder folder;
    EXPECT_FALSE(is_sealed(folder.write("empty", "")));
    EXPECT_FALSE(is_sealed(folder.write("other", "a file of somebody else, long enough")));
    EXPECT_FALSE(is_sealed(folder.path("missing")));
}

TEST(Seal, IsOneOfTwoMarksOfAFinishedFile) {
    const TemporaryFolder folder;
    const std::string file = folder.write("file", "what was measured");
    EXPECT_FALSE(looks_finished(file));
    seal(file);
    EXPECT_TRUE(looks_finished(file));
    EXPECT_TRUE(looks_finished(folder.write("hdf5", "\x89HDF\r\n\x1a\n…")));
    EXPECT_FALSE(looks_finished(folder.write("empty", "")));
    EXPECT_FALSE(looks_finished(folder.path("missing")));
}

TEST(Seal, NeedsAFile) {
    const TemporaryFolder folder;
    EXPECT_THROW(seal(folder.path("missing")), InputError);
}

}  // namespace
}  // namespace dse::results
