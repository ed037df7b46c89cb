#include "dse/trace/chakra/repair.hpp"

#include <gtest/gtest.h>

#include "built_trace.hpp"
#include "dse/trace/chakra/trace_reader.hpp"
#include "support/error_message.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::ids;
using test::WrittenTrace;
using Ids = std::vector<std::uint64_t>;

wire::Node& add(WrittenTrace& trace, std::uint64_t id, std::vector<std::uint64_t> data = {}) {
    wire::Node& node = trace.add(id, "k" + std::to_string(id), wire::COMP_NODE, std::move(data));
    attribute(node, "stream").set_int64_val(7);
    attribute(node, "other").set_string_val("kept");
    return node;
}

TEST(Repair, MakesATraceThatCanBePlayed) {
    WrittenTrace written;
    add(written, 1);
    add(written, 2, {99}).add_control_dependencies(98);
    add(written, 3, {2});
    const dse::test::TemporaryFolder folder;
    const Repair repair = repair_trace(written.write(folder, "from.et"), folder.path("to.et"));
    EXPECT_EQ(repair.left_out, 2U);
    EXPECT_EQ(repair.waits, Waits::for_all);
    EXPECT_EQ(repair.ordered, 1U);
    EXPECT_EQ(repair.contradicted, 0U);
    const RankTrace read = read_trace(folder.path("to.et"));
    EXPECT_EQ(ids(*read.trace, read.trace->control(NodeIndex{1})), Ids{1});
    EXPECT_EQ(ids(*read.trace, read.trace->data(NodeIndex{2})), Ids{2});
    EXPECT_EQ(read.version, "0.0.4");
    TraceReader reader{folder.path("to.et")};
    TraceNode node;
    ASSERT_TRUE(reader.next(node));
    EXPECT_EQ(node.text("other"), "kept");
}

TEST(Repair, LeavesParentsOut) {
    WrittenTrace written;
    add(written, 1, {2});
    add(written, 2).add_control_dependencies(1);
    const dse::test::TemporaryFolder folder;
    const Repair repair = repair_trace(written.write(folder, "from.et"), folder.path("to.et"));
    EXPECT_EQ(repair.waits, Waits::for_data);
    // 1 stands before 2 on the stream, and waits for it.
    EXPECT_EQ(repair.contradicted + repair.ordered, 1U);
    const RankTrace read = read_trace(folder.path("to.et"));
    EXPECT_TRUE(find_cycle(*read.trace).empty());
    EXPECT_EQ(ids(*read.trace, read.trace->data(NodeIndex{0})), Ids{2});
}

TEST(Repair, ChangesNothingInASoundTrace) {
    WrittenTrace written;
    add(written, 1);
    add(written, 2, {1});
    const dse::test::TemporaryFolder folder;
    const std::string from = written.write(folder, "from.et");
    const Repair repair = repair_trace(from, folder.path("to.et"));
    EXPECT_EQ(repair.left_out + repair.ordered + repair.contradicted, 0U);
    EXPECT_EQ(dse::test::read_file(from), dse::test::read_file(folder.path("to.et")));
}

TEST(Repair, CannotTellWhichOfTwoIsWrong) {
    WrittenTrace written;
    add(written, 1, {2});
    add(written, 2, {1});
    const dse::test::TemporaryFolder folder;
    const std::string from = written.write(folder, "from.et");
    const std::string message = dse::test::error_message([&] { repair_trace(from, folder.path("to.et")); });
    EXPECT_NE(message.find("waits for itself, through 2 nodes"), std::string::npos) << message;
}

}  // namespace
}  // namespace dse::trace::chakra
