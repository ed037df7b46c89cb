#include "dse/base/hash.hpp"

#include <set>

#include <gtest/gtest.h>

namespace dse {
namespace {

// Published values of XXH3 with seed 0 for no input: what every correct implementation on every machine
// gives. Source: the sanity test vectors of the xxHash reference implementation, release 0.8.
TEST(Hash, EmptyInputHasThePublishedValues) {
    EXPECT_EQ(to_string(digest("")), "99aa06d3014798d86001c324468d497f");
    EXPECT_EQ(checksum({}), 0x2d06800538d394c2ULL);
}

TEST(Hash, TextAndItsBytesAgree) {
    const std::string_view text = "tp=8,pp=4";
    EXPECT_EQ(digest(text), digest(std::as_bytes(std::span{text.data(), text.size()})));
}

TEST(Hash, DigestIsPrintedAs32DigitsHighWordFirst) {
    EXPECT_EQ(to_string(Digest{0x1, 0xabcdef}), "00000000000000010000000000abcdef");
    EXPECT_EQ(to_string(Digest{}), std::string(32, '0'));
}

TEST(Hash, OrdersLikeItsText) {
    const Digest small{0, 2};
    const Digest large{1, 0};
    EXPECT_LT(small, large);
    EXPECT_LT(to_string(small), to_string(large));
}

// A damaged record must be seen: every single flipped bit of 64 bytes changes the checksum, and each flip
// differently.
TEST(Hash, EveryFlippedBitChangesTheChecksum) {
    std::array<std::byte, 64> record{};
    std::set<std::uint64_t> seen{checksum(record)};
    for (std::byte& byte : record) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            byte ^= std::byte{1} << bit;
            seen.insert(checksum(record));
            byte ^= std::byte{1} << bit;
        }
    }
    EXPECT_EQ(seen.size(), 1U + 64U * 8U);
}

TEST(Hash, LengthCounts) {
    EXPECT_NE(digest(std::string_view("a", 1)), digest(std::string_view("a\0", 2)));
}

TEST(RunningChecksum, IsTheChecksumOfAllPieces) {
    const std::string text(5000, 'x');
    const std::span<const std::byte> bytes = std::as_bytes(std::span{text.data(), text.size()});
    RunningChecksum sum;
    EXPECT_EQ(sum.value(), checksum({}));
    sum.add(bytes.first(1));
    sum.add(bytes.subspan(1, 3000));
    sum.add(bytes.subspan(3001));
    EXPECT_EQ(sum.value(), checksum(bytes));
}

}  // namespace
}  // namespace dse
