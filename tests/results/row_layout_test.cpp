#include "results/row_layout.hpp"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

constexpr Digest sweep{1, 2};

std::vector<std::byte> packed(const space::Record& record, std::int32_t rank = 3) {
    const RowLayout layout{sample_schema()};
    std::vector<std::byte> row(layout.bytes(), std::byte{0xEE});
    pack(layout, record, rank, sweep, row.data());
    return row;
}

TEST(RowLayout, GivesBackWhatWasPacked) {
    const RowLayout layout{sample_schema()};
    for (std::uint64_t id = 0; id < 20; ++id) {
        const space::Record record = sample_record(id);
        const auto bytes = packed(record);
        const RowView row{layout, bytes.data()};
        EXPECT_TRUE(row.valid(sweep));
        EXPECT_EQ(row.point_id(), id);
        EXPECT_EQ(row.status(), record.status);
        EXPECT_EQ(row.inline_reason(), record.reason);
        EXPECT_EQ(row.reason_length(), record.reason.size());
        EXPECT_EQ(row.rank(), 3);
        EXPECT_EQ(row.wall_seconds(), record.wall_seconds);
        for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(row.value(i), record.point.values[i]);
        const double time = row.value(5);
        EXPECT_TRUE(time == record.metrics.iteration_time || std::isnan(time));
    }
}

TEST(RowLayout, NoticesEveryFlippedBit) {
    const RowLayout layout{sample_schema()};
    auto bytes = packed(sample_record(4));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] ^= std::byte{0x10};
        EXPECT_FALSE((RowView{layout, bytes.data()}.valid(sweep))) << "byte " << i;
        bytes[i] ^= std::byte{0x10};
    }
    EXPECT_TRUE((RowView{layout, bytes.data()}.valid(sweep)));
}

TEST(RowLayout, BelievesNoRowOfAnotherSweepAndNoZeros) {
    const RowLayout layout{sample_schema()};
    auto bytes = packed(sample_record(1));
    EXPECT_FALSE((RowView{layout, bytes.data()}.valid(Digest{1, 3})));
    std::memset(bytes.data(), 0, bytes.size());
    EXPECT_FALSE((RowView{layout, bytes.data()}.valid(sweep)));
    EXPECT_FALSE((RowView{layout, bytes.data()}.valid(Digest{})));
    RowWriter{layout, bytes.data()}.invalidate(sweep);
    EXPECT_FALSE((RowView{layout, bytes.data()}.valid(sweep)));
}

TEST(RowLayout, StoresOneKindOfNaN) {
    space::Record record = sample_record(0);
    record.metrics.cost = -std::nan("77");
    const auto a = packed(record);
    record.metrics.cost = std::nan("1");
    EXPECT_EQ(a, packed(record));
}

TEST(RowLayout, KeepsRankAndTimeOutOfTheAnswer) {
    const RowLayout layout{sample_schema()};
    space::Record record = sample_record(0);
    const auto a = packed(record, 1);
    record.wall_seconds *= 2;
    const auto b = packed(record, 2);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), layout.answer_bytes()), 0);
    record.metrics.mfu = std::nextafter(record.metrics.mfu, 1.0);
    EXPECT_NE(std::memcmp(a.data(), packed(record, 1).data(), layout.answer_bytes()), 0);
}

TEST(RowLayout, CutsALongReasonBetweenCharacters) {
    const RowLayout layout{sample_schema()};
    space::Record record = sample_record(0);
    record.reason = std::string(inline_reason_bytes, 'x');
    EXPECT_FALSE((RowView{layout, packed(record).data()}.reason_is_cut()));
    // 151 ASCII characters, then 2-byte ones: 152 bytes are left for text beside the 3-byte mark, and the cut
    // must not leave half a character there.
    record.reason.assign(151, 'x').append("éééééééé");
    const auto bytes = packed(record);
    const RowView row{layout, bytes.data()};
    EXPECT_TRUE(row.reason_is_cut());
    EXPECT_EQ(row.reason_length(), record.reason.size());
    EXPECT_EQ(row.inline_reason(), std::string(151, 'x') + "…");
}

}  // namespace
}  // namespace dse::results::test
