#include "ir/readers/fx/process_groups.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/error_message.hpp"

namespace dse::ir::fx {
namespace {

ProcessGroups read(const std::string& text) {
    return read_process_groups(Source::text(text + "\nclass A(torch.nn.Module):\n", "x.fx"));
}

TEST(ProcessGroups, LieAlongAxesOfTheMesh) {
    const ProcessGroups groups = read(
        "# name: \"x\"\n# mesh: {\"a\": 2, \"b\": 3, \"c\": 2}\n"
        "# process_groups: {\"5\": {\"axes\": [\"a\", \"c\"], \"ranks\": [0, 1, 6, 7]}}");
    EXPECT_EQ(groups.mesh.device_count(), 12);
    const std::vector<std::vector<std::int64_t>> expected{{0, 1, 6, 7}, {2, 3, 8, 9}, {4, 5, 10, 11}};
    EXPECT_EQ(groups.groups.at("5").members(12), expected);
}

TEST(ProcessGroups, MayBeAbsent) {
    EXPECT_TRUE(read("import torch").mesh.axes.empty());
}

TEST(ProcessGroups, RefuseContradictions) {
    const auto message = [](const std::string& text) { return test::error_message([&] { read(text); }); };
    const std::string mesh = "# mesh: {\"a\": 2, \"b\": 2}\n";
    EXPECT_EQ(message("# mesh: [2]"), "x.fx:1:1: 'mesh' must be a JSON object");
    EXPECT_EQ(message("# mesh: {\"a\": 0}"), "x.fx:1:1: mesh: invalid size of axis 'a'");
    EXPECT_EQ(message("# mesh: {\"a\": 1024, \"b\": 2048}"), "x.fx:1:1: mesh: invalid size of axis 'b'");
    EXPECT_EQ(message("# process_groups: {}"),
              "x.fx:1:1: process_groups: their axes need a line '# mesh: {…}'");
    EXPECT_EQ(message(mesh + "# process_groups: {\"1\": 3}"),
              "x.fx:2:1: process group '1': expected {\"axes\": [names]}");
    EXPECT_EQ(message(mesh + "# process_groups: {\"1\": {\"axes\": [\"c\"]}}"),
              "x.fx:2:1: process group '1': its axes are not those of the mesh");
    EXPECT_EQ(message(mesh + "# process_groups: {\"1\": {\"axes\": [\"b\"], \"ranks\": [0, 2]}}"),
              "x.fx:2:1: process group '1': its ranks do not lie along its axes");
}

TEST(ProcessGroups, HaveToHoldThoseOfTheProgram) {
    Program program;
    Communication communication;
    communication.process_group = NameId{program.names.add("9")};
    communication.group_size = 4;
    program.attributes.emplace_back(communication);
    const Source source = Source::text("", "x.fx");
    const auto apply_to = [&](const std::string& text) {
        return test::error_message([&, copy = program]() mutable { apply(read(text), copy, source); });
    };
    const std::string mesh = "# mesh: {\"a\": 2, \"b\": 4}\n# process_groups: ";
    EXPECT_EQ(apply_to(mesh + "{\"9\": {\"axes\": [\"b\"]}}"), "no error");
    EXPECT_EQ(apply_to(mesh + "{\"9\": {\"axes\": [\"a\"]}}"),
              "x.fx:1:1: process group '9' has 2 ranks, a collective says 4");
    EXPECT_EQ(apply_to(mesh + "{\"8\": {\"axes\": [\"a\"]}}"),
              "x.fx:1:1: process group '9' of a collective is not among those that the comments list");
}

}  // namespace
}  // namespace dse::ir::fx
