#include "results/log/frame.hpp"

#include <cstring>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::results::test {
namespace {

constexpr std::uint64_t salt = 77;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}

void add(RecordWriter& writer, RecordKind kind, std::string_view payload, std::uint64_t with = salt) {
    writer.begin(kind);
    const auto bytes = bytes_of(payload);
    writer.bytes().insert(writer.bytes().end(), bytes.begin(), bytes.end());
    writer.end(with);
}

std::string_view text_of(const LogRecord& record) {
    return {reinterpret_cast<const char*>(record.payload.data()), record.payload.size()};
}

TEST(Frame, GivesBackKindSequenceAndPayload) {
    RecordWriter writer;
    add(writer, RecordKind::row, "first");
    writer.clear();
    add(writer, RecordKind::coverage, "second");
    ASSERT_EQ(writer.bytes().size(), frame_bytes + 6);
    EXPECT_EQ(announced_payload(writer.bytes()), 6U);
    const auto record = checked_record(writer.bytes(), salt);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->kind, RecordKind::coverage);
    EXPECT_EQ(record->sequence, 1U);
    EXPECT_EQ(text_of(*record), "second");
}

TEST(Frame, NoticesEveryFlippedBit) {
    RecordWriter writer;
    add(writer, RecordKind::row, "what was measured");
    for (std::size_t bit = 0; bit < 8 * writer.bytes().size(); ++bit) {
        std::vector<std::byte> bad = writer.bytes();
        bad[bit / 8] ^= std::byte{1} << (bit % 8);
        const auto length = announced_payload(bad);
        const bool whole = length == 17U && checked_record(bad, salt).has_value();
        EXPECT_FALSE(whole) << "bit " << bit;
    }
}

TEST(Frame, IsOfOneLogAlone) {
    RecordWriter writer;
    add(writer, RecordKind::row, "row");
    EXPECT_TRUE(checked_record(writer.bytes(), salt));
    EXPECT_FALSE(checked_record(writer.bytes(), salt + 1));
    EXPECT_NE(salt_of(bytes_of("a log")), salt_of(bytes_of("another log")));
}

TEST(Frame, NeedsNoSaltForAHeader) {
    RecordWriter writer;
    add(writer, RecordKind::header, "what the log is");
    EXPECT_TRUE(checked_record(writer.bytes(), 0));
    EXPECT_TRUE(checked_record(writer.bytes(), salt));
}

TEST(Frame, AnnouncesNothingWhereNoRecordBegins) {
    EXPECT_EQ(announced_payload(std::vector<std::byte>(frame_bytes)), std::nullopt);
    std::vector<std::byte> endless(frame_bytes, std::byte{0xFF});
    std::memcpy(endless.data(), &record_mark, sizeof record_mark);
    EXPECT_EQ(announced_payload(endless), std::nullopt) << "a length of 4 GiB";
}

TEST(Frame, RefusesAPayloadThatNoReaderWouldTake) {
    RecordWriter writer;
    add(writer, RecordKind::row, "before");
    const std::size_t before = writer.bytes().size();
    EXPECT_THROW(add(writer, RecordKind::row, std::string(max_payload + 1, 'x')), InputError);
    EXPECT_EQ(writer.bytes().size(), before);
}

}  // namespace
}  // namespace dse::results::test
