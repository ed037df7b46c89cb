#include "trace/chakra/rewrite_trace.hpp"

#include <gtest/gtest.h>

#include "built_trace.hpp"
#include "support/error_message.hpp"

namespace dse::trace::chakra {
namespace {

using test::WrittenTrace;

TEST(RewriteTrace, ChangesRecordsOneByOne) {
    WrittenTrace written;
    written.add(7, "first", wire::COMP_NODE, {});
    written.add(9, "second", wire::COMP_NODE, {7});
    const dse::test::TemporaryFolder folder;
    std::vector<std::size_t> seen;
    rewrite_trace(written.write(folder, "from.et"), folder.path("to.et"), Existing::refuse,
                  {[](wire::GlobalMetadata& metadata) { metadata.set_version("0.0.5"); },
                   [&](wire::Node& node, std::size_t index) {
                       seen.push_back(index);
                       if (index == 0) node.set_duration_micros(3);
                   }});
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1}));
    const RankTrace read = read_trace(folder.path("to.et"));
    EXPECT_EQ(read.version, "0.0.5");
    ASSERT_EQ(read.trace->size(), 2U);
    EXPECT_EQ(read.trace->step(NodeIndex{1}).id, 9U);
}

TEST(RewriteTrace, RefusesWhatIsNoTrace) {
    const dse::test::TemporaryFolder folder;
    const auto rewrite = [&](const std::string& from) {
        return dse::test::error_message([&] {
            rewrite_trace(from, folder.path("to.et"), Existing::refuse,
                          {{}, [](wire::Node&, std::size_t) {}});
        });
    };
    EXPECT_NE(rewrite(folder.write("none.et", "")).find("it is empty"), std::string::npos);
    EXPECT_NE(rewrite(folder.write("text.et",
                                   "\x03"
                                   "abc"))
                  .find("not a Chakra record"),
              std::string::npos);
}

/// The fast decoder takes any bytes, protobuf does not; its own complaint is not shown.
TEST(RewriteTrace, SaysThatATextMayNotBeUtf8) {
    const dse::test::TemporaryFolder folder;
    WrittenTrace trace;
    trace.add(1, "\xff", wire::COMP_NODE);
    testing::internal::CaptureStderr();
    const std::string from = trace.write(folder, "t.0.et");
    (void)testing::internal::GetCapturedStderr();  // protobuf warns of what it writes
    testing::internal::CaptureStderr();
    const std::string message = dse::test::error_message([&] {
        rewrite_trace(from, folder.path("to.et"), Existing::refuse, {{}, [](wire::Node&, std::size_t) {}});
    });
    EXPECT_NE(message.find("record 2: it is not a Chakra record, or a text in it is not UTF-8"),
              std::string::npos)
        << message;
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace dse::trace::chakra
