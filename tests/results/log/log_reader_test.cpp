#include "results/log/log_reader.hpp"

#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results::test {
namespace {

using dse::test::TemporaryFolder;
using testing::ElementsAre;

constexpr std::uint64_t salt = 3;

std::string record(RecordWriter& writer, std::string_view payload) {
    writer.clear();
    writer.begin(RecordKind::row);
    for (const char c : payload) writer.bytes().push_back(static_cast<std::byte>(c));
    writer.end(salt);
    return {reinterpret_cast<const char*>(writer.bytes().data()), writer.bytes().size()};
}

/// Records "0", "1", … , the payload of record i repeated i times.
std::vector<std::string> records(int count) {
    RecordWriter writer;
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i)
        all.push_back(record(writer, std::string(static_cast<std::size_t>(i), 'x')));
    return all;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += part;
    return all;
}

struct Found {
    std::vector<std::uint64_t> sequence;
    std::uint64_t lost{0};
};

Found read(const TemporaryFolder& folder, const std::string& content, std::size_t buffer = 64) {
    const std::string file = folder.write("log", content);
    LogReader reader{file, {0, content.size()}, salt, buffer};
    Found found;
    LogRecord record;
    while (reader.next(record)) {
        EXPECT_EQ(record.payload.size(), record.sequence);
        found.sequence.push_back(record.sequence);
    }
    EXPECT_FALSE(reader.next(record)) << "the end is the end";
    found.lost = reader.lost();
    return found;
}

TEST(LogReader, ReadsRecordsOfAnyLengthWithAnyBuffer) {
    const TemporaryFolder folder;
    const std::string log = joined(records(300));
    for (const std::size_t buffer : {1U, 24U, 100U, 4096U, 1U << 20U}) {
        const Found found = read(folder, log, buffer);
        EXPECT_EQ(found.sequence.size(), 300U);
        EXPECT_EQ(found.lost, 0U);
    }
    EXPECT_THAT(read(folder, "").sequence, testing::IsEmpty());
}

TEST(LogReader, LosesTheRecordThatADamageHitsAndNoOther) {
    const TemporaryFolder folder;
    const std::vector<std::string> parts = records(6);
    const std::string log = joined(parts);
    std::size_t begin = 0;
    for (std::size_t hit = 0; hit < parts.size(); ++hit) {
        for (std::size_t byte = begin; byte < begin + parts[hit].size(); ++byte) {
            std::string bad = log;
            bad[byte] = static_cast<char>(bad[byte] ^ 0x40);
            const Found found = read(folder, bad);
            EXPECT_EQ(found.sequence.size(), 5U) << byte;
            EXPECT_EQ(std::count(found.sequence.begin(), found.sequence.end(), hit), 0) << byte;
            EXPECT_EQ(found.lost, 1U) << byte;
        }
        begin += parts[hit].size();
    }
}

TEST(LogReader, LosesTheEndOfATornLog) {
    const TemporaryFolder folder;
    const std::vector<std::string> parts = records(4);
    const std::string log = joined(parts);
    for (std::size_t cut = 1; cut < parts[3].size(); ++cut) {
        const Found found = read(folder, log.substr(0, log.size() - cut));
        EXPECT_THAT(found.sequence, ElementsAre(0, 1, 2));
        EXPECT_EQ(found.lost, 1U);
    }
}

TEST(LogReader, NoticesRecordsThatWereMovedDoubledOrDropped) {
    const TemporaryFolder folder;
    const auto r = records(4);
    EXPECT_THAT(read(folder, r[0] + r[2] + r[3]).sequence, ElementsAre(0, 2, 3));
    EXPECT_EQ(read(folder, r[0] + r[2] + r[3]).lost, 1U);
    EXPECT_THAT(read(folder, r[0] + r[2] + r[1] + r[3]).sequence, ElementsAre(0, 2, 3));
    EXPECT_THAT(read(folder, r[0] + r[1] + r[1] + r[2]).sequence, ElementsAre(0, 1, 2));
    EXPECT_EQ(read(folder, r[0] + r[1] + r[1] + r[2]).lost, 0U);
}

TEST(LogReader, FindsTheNextRecordBehindGarbage) {
    const TemporaryFolder folder;
    std::mt19937_64 random{11};
    const auto r = records(3);
    for (int round = 0; round < 50; ++round) {
        std::string garbage(random() % 300, '\0');
        for (char& c : garbage) c = static_cast<char>(random());
        const Found found = read(folder, r[0] + garbage + r[1] + garbage + r[2]);
        EXPECT_THAT(found.sequence, ElementsAre(0, 1, 2));
    }
    // A mark at the end of a buffer, and marks without records.
    std::string marks;
    for (int i = 0; i < 100; ++i)
        marks.append(reinterpret_cast<const char*>(&record_mark), sizeof record_mark);
    EXPECT_THAT(read(folder, r[0] + marks + r[1] + "\xFF\xFE" + r[2]).sequence, ElementsAre(0, 1, 2));
}

TEST(LogReader, ReadsPartOfAFile) {
    const TemporaryFolder folder;
    const auto r = records(4);
    const std::string file = folder.write("log", joined(r));
    LogReader reader{file, {r[0].size(), r[0].size() + r[1].size() + r[2].size()}, salt, 64};
    LogRecord found;
    ASSERT_TRUE(reader.next(found));
    EXPECT_EQ(found.sequence, 1U);
    EXPECT_EQ(found.offset, r[0].size());
    ASSERT_TRUE(reader.next(found));
    EXPECT_FALSE(reader.next(found));
}

TEST(LogReader, SaysWhyAFileCannotBeRead) {
    const TemporaryFolder folder;
    LogReader missing{folder.path("missing"), {0, 100}, salt, 64};
    LogRecord found;
    EXPECT_THROW(missing.next(found), InputError);
    // One that got shorter since its length was asked for ends early.
    LogReader shorter{folder.write("short", joined(records(2))), {0, 5000}, salt, 64};
    EXPECT_TRUE(shorter.next(found));
    EXPECT_TRUE(shorter.next(found));
    EXPECT_FALSE(shorter.next(found));
}

}  // namespace
}  // namespace dse::results::test
