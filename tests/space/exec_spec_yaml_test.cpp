#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/space/exec_spec.hpp"
#include "dse/space/identity.hpp"
#include "dse/space/space_text.hpp"
#include "support/temporary_folder.hpp"

namespace dse::space {
namespace {

using ::testing::HasSubstr;

std::string errors_of(const std::string& yaml) {
    config::Diagnostics diagnostics;
    static_cast<void>(read_exec(config::parse_yaml(yaml, "exec.yaml", diagnostics), diagnostics));
    try {
        diagnostics.throw_if_any();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(ExecSpec, SaysWhatIsRunAndWhatItAnswersWith) {
    config::Diagnostics diagnostics;
    const ExecSpec exec =
        read_exec(config::parse_yaml("{command: [python3, a.py, 3], input: arguments, time_limit: 2 min, "
                                     "metrics: {area: mm2, share: }}",
                                     "deep/exec.yaml", diagnostics),
                  diagnostics);
    EXPECT_TRUE(diagnostics.ok());
    EXPECT_THAT(exec.command, ::testing::ElementsAre("python3", "a.py", "3"));
    EXPECT_EQ(exec.input, ExecInput::arguments);
    EXPECT_EQ(exec.time_limit.value(), 120.0);
    ASSERT_EQ(exec.metrics.size(), 2U);
    EXPECT_EQ(exec.metrics[0].unit, "mm2");
    EXPECT_EQ(exec.metrics[1].unit, "1");
    EXPECT_EQ(exec.folder, "deep");
}

TEST(ExecSpec, SaysEverythingThatIsWrong) {
    EXPECT_THAT(errors_of("{metrics: {area: mm2}}"), HasSubstr("exec.command: missing"));
    EXPECT_THAT(errors_of("{command: run}"), HasSubstr("is a list"));
    EXPECT_THAT(errors_of("{command: [run], input: csv}"), HasSubstr("neither lines nor arguments"));
    EXPECT_THAT(errors_of("{command: [run], metrics: {1a: m}}"), HasSubstr("'1a' cannot be a name"));
    EXPECT_THAT(errors_of("{command: [run], metrics: [area]}"), HasSubstr("is a map"));
    EXPECT_THAT(errors_of("{command: [run], time_limt: 2 s}"), HasSubstr("time_limit"));
    EXPECT_THAT(errors_of("run"), HasSubstr("is a map"));
}

TEST(ExecSpec, ChangesWithTheProgram) {
    const dse::test::TemporaryFolder folder;
    const auto facts = [&](const std::string& program) {
        std::ofstream{folder.path("a.py")} << program;
        return identity(
            *parse_space("axes: {x: [1]}\nexec: {command: [python3, a.py]}", folder.path("s.yaml")));
    };
    const auto before = facts("one");
    EXPECT_EQ(before, facts("one"));
    EXPECT_NE(before, facts("two"));
}

}  // namespace
}  // namespace dse::space
