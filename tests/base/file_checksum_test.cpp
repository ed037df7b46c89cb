#include "dse/base/file_checksum.hpp"

#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dse/base/hash.hpp"
#include "support/temporary_folder.hpp"

namespace dse {
namespace {

std::uint64_t checksum_of_text(const std::string& text) {
    return checksum(std::as_bytes(std::span{text.data(), text.size()}));
}

TEST(FileChecksum, OfAStreamInSeveralBlocks) {
    const std::string text((std::size_t{5} << 19U) + 7, 'x');
    std::istringstream stream{text};
    EXPECT_EQ(checksum_of_stream(stream), checksum_of_text(text));
}

TEST(FileChecksum, OfTheNextBytes) {
    std::istringstream stream{"0123456789"};
    stream.seekg(2);
    EXPECT_EQ(checksum_of_stream(stream, 3), checksum_of_text("234"));
    EXPECT_EQ(checksum_of_stream(stream), checksum_of_text("56789"));
}

TEST(FileChecksum, OfAFileIsThatOfItsText) {
    const test::TemporaryFolder folder;
    const std::string file = folder.write("a.txt", "abc");
    EXPECT_EQ(checksum_of_file(file), fmt::format("{:016x}", checksum_of_text("abc")));
    EXPECT_EQ(checksum_of_file(file + ".none"), fmt::format("{:016x}", checksum({})));
}

}  // namespace
}  // namespace dse
