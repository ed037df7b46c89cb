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
    EXPECT_NO_THROW(check_seal(file));
}

TEST(Seal, BreaksWithAnyByte) {
    const TemporaryFolder folder;
    const std::string file = folder.write("file", "what was measured");
    seal(file);
    const std::string good = read_file(file);
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 1);
        const std::string damaged = folder.write("damaged", bad);
        // Without the mark there is no seal to break.
        const bool is_mark = i >= good.size() - 16 && i < good.size() - 8;
        if (is_mark) {
            EXPECT_NO_THROW(check_seal(damaged));
        } else {
            EXPECT_THROW(check_seal(damaged), InputError) << i;
        }
    }
}

TEST(Seal, IsNotAskedOfOtherFiles) {
    const TemporaryFolder folder;
    EXPECT_NO_THROW(check_seal(folder.write("empty", "")));
    EXPECT_NO_THROW(check_seal(folder.write("other", "a file of somebody else, long enough")));
    EXPECT_NO_THROW(check_seal(folder.path("missing")));
}

TEST(Seal, NeedsAFile) {
    const TemporaryFolder folder;
    EXPECT_THROW(seal(folder.path("missing")), InputError);
}

}  // namespace
}  // namespace dse::results
