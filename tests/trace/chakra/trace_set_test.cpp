// Also tests: chakra/file_checksum.cpp
#include "dse/trace/chakra/trace_set.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "written_trace.hpp"

namespace dse::trace::chakra {
namespace {

using dse::test::error_message;

using test::attribute;
using test::WrittenTrace;

/// One kernel, and a message to `peer`.
void write_rank(const dse::test::TemporaryFolder& folder, const std::string& name, std::int64_t ops,
                int peer) {
    WrittenTrace written;
    attribute(written.add(1, "kernel", wire::COMP_NODE), "num_ops").set_int64_val(ops);
    attribute(written.add(2, "send", wire::COMM_SEND_NODE, {1}), "comm_dst").set_int32_val(peer);
    written.write(folder, name);
}

TEST(TraceSet, DecodesAndStoresEqualRanksOnce) {
    const dse::test::TemporaryFolder folder;
    write_rank(folder, "t.0.et", 5, 1);
    write_rank(folder, "t.1.et", 5, 2);
    write_rank(folder, "t.2.et", 5, 1);
    write_rank(folder, "t.3.et", 600, 1);
    const TraceSet set = read_traces(trace_files(folder.path("t")));
    EXPECT_EQ(set.program, (std::vector<std::uint32_t>{0, 0, 0, 1}));
    EXPECT_EQ(set.programs, 2U);
    EXPECT_EQ(set.decoded, 3U);
    ASSERT_EQ(set.ranks.size(), 4U);
    EXPECT_EQ(set.ranks[0].trace, set.ranks[1].trace);
    EXPECT_EQ(set.ranks[0].trace, set.ranks[2].trace);
    EXPECT_EQ(set.ranks[2].path, folder.path("t.2.et"));
    const Communication& message = set.ranks[1].trace->communication(NodeIndex{1});
    EXPECT_EQ(set.ranks[0].destination(message), 1);
    EXPECT_EQ(set.ranks[1].destination(message), 2);
}

TEST(TraceSet, FindsTheFilesOfAPrefix) {
    const dse::test::TemporaryFolder folder;
    for (int rank = 0; rank < 11; ++rank) folder.write("a." + std::to_string(rank) + ".et", "");
    for (const char* other : {"a.01.et", "a.x.et", "a.et", "ab.11.et", "a.11.et.bak", "a..et", "a.11"})
        folder.write(other, "");
    const auto files = trace_files(folder.path("a"));
    ASSERT_EQ(files.size(), 11U);
    EXPECT_EQ(files[2], folder.path("a.2.et"));
    EXPECT_EQ(files[10], folder.path("a.10.et"));
    EXPECT_EQ(trace_files(folder.path("a.3.et")), std::vector{folder.path("a.3.et")});
}

TEST(TraceSet, SaysWhichFilesAreMissing) {
    const dse::test::TemporaryFolder folder;
    folder.write("a.0.et", "");
    folder.write("a.2.et", "");
    EXPECT_NE(error_message([&] {
                  trace_files(folder.path("a"));
              }).find("a.1.et' is missing: the ranks go up to 2"),
              std::string::npos);
    EXPECT_NE(error_message([&] { trace_files(folder.path("b")); }).find("b.<rank>.et'"), std::string::npos);
    EXPECT_NE(error_message([&] { trace_files(folder.path("no/b")); }).find("No such file"),
              std::string::npos);
}

TEST(TraceSet, TellsTheFaultsOfEachRank) {
    const dse::test::TemporaryFolder folder;
    write_rank(folder, "t.0.et", 5, 1);
    write_rank(folder, "t.1.et", -5, 1);
    std::vector<RankFaults> faults;
    const TraceSet set = read_traces(trace_files(folder.path("t")), faults);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].rank, 1U);
    EXPECT_EQ(faults[0].faults.count, 1U);
    EXPECT_EQ(set.ranks.size(), 2U);
    EXPECT_NE(error_message([&] { read_traces(trace_files(folder.path("t"))); }).find("t.1.et': record 2"),
              std::string::npos);
}

}  // namespace
}  // namespace dse::trace::chakra
