#include "results/shard_records.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

const RowShape shape{sample_schema()};

/// Values of the point, then metrics.
std::vector<double> sample_values() {
    std::vector<double> values(shape.values(), std::nan("1"));
    for (std::size_t i = 0; i < shape.points; ++i) values[i] = static_cast<double>(i) + 0.5;
    values.back() = -1.0 / 3.0;
    return values;
}

Row sample_row(const std::vector<double>& values) {
    return {.point_id = 12345678901234,
            .status = space::Status::out_of_memory,
            .reason = "activations",
            .values = values,
            .wall_seconds = 0.1,
            .rank = 7,
            .host = 3};
}

std::vector<std::byte> encoded(const Row& row) {
    std::vector<std::byte> bytes;
    encode(row, shape, bytes);
    return bytes;
}

TEST(ShardRecords, GiveBackARow) {
    const std::vector<double> values = sample_values();
    const std::vector<std::byte> bytes = encoded(sample_row(values));
    std::vector<double> room;
    const Row row = decode_row(bytes, shape, room);
    EXPECT_EQ(row.point_id, 12345678901234U);
    EXPECT_EQ(row.status, space::Status::out_of_memory);
    EXPECT_EQ(row.reason, "activations");
    EXPECT_EQ(row.wall_seconds, 0.1);
    EXPECT_EQ(row.rank, 7);
    EXPECT_EQ(row.host, 3);
    ASSERT_EQ(row.values.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_TRUE(row.values[i] == values[i] || (std::isnan(row.values[i]) && std::isnan(values[i])));
    }
}

TEST(ShardRecords, StoreOneKindOfNaN) {
    std::vector<double> values = sample_values();
    const auto before = encoded(sample_row(values));
    values[shape.points] = -std::nan("77");
    EXPECT_EQ(encoded(sample_row(values)), before);
}

TEST(ShardRecords, StoreNoMetricsWhereThereAreNone) {
    std::vector<double> values = sample_values();
    const std::size_t with = encoded(sample_row(values)).size();
    values.back() = std::nan("5");
    const auto bytes = encoded(sample_row(values));
    EXPECT_EQ(bytes.size(), with - 8 * shape.metrics);
    std::vector<double> room;
    const Row row = decode_row(bytes, shape, room);
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    for (const double metric : row.values.subspan(shape.points)) {
        EXPECT_EQ(bits(metric), bits(std::numeric_limits<double>::quiet_NaN()));
    }
    EXPECT_EQ(row.values[2], 2.5);
}

TEST(ShardRecords, RefuseBytesThatAreNoRow) {
    const std::vector<double> values = sample_values();
    const std::vector<std::byte> good = encoded(sample_row(values));
    std::vector<double> room;
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_THROW(decode_row(std::span{good}.first(length), shape, room), InputError) << length;
    }
    std::vector<std::byte> longer = good;
    longer.push_back(std::byte{0});
    EXPECT_THROW(decode_row(longer, shape, room), InputError);
    std::vector<std::byte> other = good;
    other[22] = std::byte{9};  // behind id, seconds, rank and host: no status
    EXPECT_THROW(decode_row(other, shape, room), InputError);
}

TEST(ShardRecords, GiveBackAHeader) {
    const LogHeader header{
        .header = {.schema = sample_schema(), .provenance = sample_provenance(), .unsealed = true},
        .hosts = {"node7", "node8"},
        .name = "rank-00000"};
    const LogHeader read = decode_header(encode(header));
    EXPECT_EQ(read.name, "rank-00000");
    EXPECT_THAT(read.hosts, testing::ElementsAre("node7", "node8"));
    EXPECT_TRUE(read.header.unsealed);
    EXPECT_EQ(read.header.version, schema_version);
    EXPECT_EQ(read.header.provenance.host, "node7");
    EXPECT_EQ(read.header.provenance.start, "2026-01-01T00:00:00Z");
    const ResultSchema& schema = read.header.schema;
    EXPECT_EQ(schema.sweep.yaml, sample_schema().sweep.yaml);
    EXPECT_EQ(schema.sweep.seed, 42U);
    EXPECT_EQ(schema.sweep.objectives, sample_schema().sweep.objectives);
    EXPECT_EQ(schema.points, sample_schema().points);
    EXPECT_EQ(schema.metrics, sample_schema().metrics);
    EXPECT_TRUE(differences(schema, sample_schema()).empty());
}

TEST(ShardRecords, GiveBackTheUnitsToShowValuesIn) {
    LogHeader header{.header = {.schema = sample_schema(), .provenance = {}}, .hosts = {}, .name = ""};
    header.header.schema.points[1].shown_unit = "Gbps";
    std::vector<std::byte> bytes = encode(header);
    EXPECT_EQ(decode_header(bytes).header.schema.points[1].shown_unit, "Gbps");
    EXPECT_EQ(decode_header(bytes).header.schema.points[2].shown_unit, "");
    bytes.resize(bytes.size() - 4);  // without a number of settings, as versions before they were stored
    EXPECT_EQ(decode_header(bytes).header.schema.points[1].shown_unit, "Gbps");
    bytes.resize(bytes.size() - 4 * header.header.schema.points.size() - 4);  // as version 2.0 wrote it
    EXPECT_EQ(decode_header(bytes).header.schema.points, sample_schema().points);
    EXPECT_EQ(decode_header(bytes).header.schema.points[1].shown_unit, "");
}

TEST(ShardRecords, GiveBackTheSettingsOfTheRun) {
    LogHeader header{.header = {.schema = sample_schema(), .provenance = {}}, .hosts = {}, .name = ""};
    header.header.schema.sweep.settings = {"tp=8", "cluster=h100_ndr400"};
    EXPECT_THAT(decode_header(encode(header)).header.schema.sweep.settings,
                testing::ElementsAre("tp=8", "cluster=h100_ndr400"));
}

TEST(ShardRecords, RefuseAHeaderOfAnotherForm) {
    auto bytes =
        encode(LogHeader{.header = {.schema = sample_schema(), .provenance = {}}, .hosts = {}, .name = ""});
    bytes[0] = std::byte{99};
    EXPECT_THROW(decode_header(bytes), InputError);
    EXPECT_THROW(decode_header({}), InputError);
}

TEST(ShardRecords, GiveBackACoverage) {
    std::vector<std::byte> bytes;
    encode(Coverage{1, 2, 3}, bytes);
    EXPECT_EQ(decode_coverage(bytes), (Coverage{1, 2, 3}));
    EXPECT_THROW(decode_coverage(std::span{bytes}.first(23)), InputError);
}

}  // namespace
}  // namespace dse::results::test
