#include "dse/trace/chakra/groups.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::trace::chakra {
namespace {

using dse::test::error_message;

using Ranks = std::vector<std::int64_t>;

TEST(Groups, KnowsAllRanksWithoutBeingTold) {
    Groups groups{3};
    EXPECT_EQ(groups.members(""), (Ranks{0, 1, 2}));
    EXPECT_EQ(groups.members("0"), (Ranks{0, 1, 2}));
    EXPECT_EQ(groups.find("1"), nullptr);
    groups.add("0", {2, 1});
    EXPECT_EQ(groups.members("0"), (Ranks{2, 1}));
    groups.add("all", {});
    EXPECT_EQ(groups.members("all"), (Ranks{0, 1, 2}));
    EXPECT_EQ(groups.added().size(), 2U);
}

TEST(Groups, ReadsFilesOfAstraSim) {
    const dse::test::TemporaryFolder folder;
    Groups groups{4};
    read_groups(folder.write("g.json", R"({"1": [2, 0], "12": [1, 3]})"), groups);
    EXPECT_EQ(groups.members("1"), (Ranks{2, 0}));
    EXPECT_EQ(groups.members("12"), (Ranks{1, 3}));
}

TEST(Groups, SaysWhatIsWrongWithAFile) {
    const dse::test::TemporaryFolder folder;
    const auto message = [&folder](const std::string& text) {
        return error_message([&] {
            Groups groups{4};
            read_groups(folder.write("g.json", text), groups);
        });
    };
    EXPECT_NE(message("{").find("g.json': "), std::string::npos);
    EXPECT_NE(message("[]").find("is not an object"), std::string::npos);
    EXPECT_NE(message(R"({"1": 2})").find("g.json': group '1' is not a list"), std::string::npos);
    EXPECT_NE(message(R"({"1": []})").find("group '1' has no members"), std::string::npos);
    EXPECT_NE(message(R"({"1": [0.5]})").find("group '1': 0.5 is not a rank"), std::string::npos);
    EXPECT_NE(message(R"({"1": [4]})").find("rank 4 is none of the 4"), std::string::npos);
    EXPECT_NE(message(R"({"1": [-1]})").find("rank -1 is none"), std::string::npos);
    EXPECT_NE(message(R"({"1": [1, 1]})").find("rank 1 appears in it twice"), std::string::npos);
    EXPECT_NE(message(R"({"1": [0, 1], "2": [0], "1": [2, 3]})").find("g.json': group '1' is given twice"),
              std::string::npos);
    Groups groups{4};
    EXPECT_NE(error_message([&] { read_groups(folder.path("none.json"), groups); }).find("No such file"),
              std::string::npos);
    EXPECT_NE(
        error_message([&] { static_cast<void>(groups.members("7")); }).find("no file of groups is given"),
        std::string::npos);
    groups.add("17", {1});
    EXPECT_NE(
        error_message([&] { static_cast<void>(groups.members("7")); }).find("none of the 1 that are known"),
        std::string::npos);
}

TEST(Groups, TracesHaveToAgree) {
    std::vector<RankTrace> traces(2);
    traces[0].declared = {{"1", "tp", {0, 1}}, {"0", "all", {}}};
    traces[1].declared = {{"1", "tp", {0, 1}}};
    Groups groups{2};
    add_declared(traces, groups);
    EXPECT_EQ(groups.members("1"), (Ranks{0, 1}));
    traces[1].declared = {{"1", "tp", {1}}};
    traces[1].path = "t.1.et";
    EXPECT_NE(
        error_message([&] { add_declared(traces, groups); }).find("'t.1.et': group '1' has two different"),
        std::string::npos);
}

}  // namespace
}  // namespace dse::trace::chakra
