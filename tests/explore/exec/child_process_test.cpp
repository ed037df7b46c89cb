#include "explore/exec/child_process.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::explore {
namespace {

using Kind = ChildProcess::Reply::Kind;
using Until = ChildProcess::Until;
using ::testing::HasSubstr;

bool never() {
    return false;
}

ChildProcess shell(const std::string& script) {
    return ChildProcess{{"sh", "-c", script}, "."};
}

ChildProcess::Clock::time_point in(std::chrono::milliseconds time) {
    return ChildProcess::Clock::now() + time;
}

TEST(ChildProcess, AnswersLineByLine) {
    ChildProcess child = shell("while read x; do echo \"<$x>\"; done");
    EXPECT_EQ(child.ask("one\n", Until::line, {}, never).text, "<one>");
    const auto reply = child.ask("two\n", Until::line, {}, never);
    EXPECT_EQ(reply.kind, Kind::line);
    EXPECT_EQ(reply.text, "<two>");
    EXPECT_FALSE(child.has_more());
}

TEST(ChildProcess, SaysHowItEnded) {
    ChildProcess good = shell("echo 1; echo 2");
    const auto reply = good.ask("", Until::end, {}, never);
    EXPECT_EQ(reply.kind, Kind::ended);
    EXPECT_EQ(reply.text, "1\n2\n");
    EXPECT_EQ(good.how_it_ended(), "");
    ChildProcess bad = shell("echo oh >&2; exit 3");
    EXPECT_EQ(bad.ask("", Until::line, {}, never).kind, Kind::ended);
    EXPECT_EQ(bad.how_it_ended(), "ended with status 3");
    EXPECT_EQ(bad.errors(), "oh\n");
    ChildProcess crashed = shell("kill -SEGV $$");
    EXPECT_EQ(crashed.ask("", Until::line, {}, never).kind, Kind::ended);
    EXPECT_THAT(crashed.how_it_ended(), HasSubstr("signal 11"));
    ChildProcess none{{"/no/such/program"}, "."};
    EXPECT_EQ(none.ask("x\n", Until::line, {}, never).kind, Kind::ended);
    EXPECT_EQ(none.how_it_ended(), "ended with status 127");
    EXPECT_THAT(none.errors(), HasSubstr("cannot run '/no/such/program'"));
}

TEST(ChildProcess, IsGivenUpAfterItsTime) {
    ChildProcess child = shell("sleep 100");
    EXPECT_EQ(child.ask("", Until::line, in(std::chrono::milliseconds{60}), never).kind, Kind::late);
}

TEST(ChildProcess, StopsWhenAsked) {
    ChildProcess child = shell("sleep 100");
    EXPECT_THROW(child.ask("", Until::line, {}, [] { return true; }), Stopped);
}

TEST(ChildProcess, DoesNotWaitForWhatItHasLeftBehind) {
    ChildProcess child = shell("sleep 100 & echo $!; exit 0");
    EXPECT_EQ(child.ask("", Until::line, {}, never).kind, Kind::line);
    const auto begin = ChildProcess::Clock::now();
    EXPECT_EQ(child.ask("", Until::line, {}, never).kind, Kind::ended);
    EXPECT_LT(ChildProcess::Clock::now() - begin, std::chrono::seconds{20});
}

TEST(ChildProcess, TakesItsChildrenAlong) {
    pid_t inner = 0;
    {
        ChildProcess child = shell("sleep 100 & echo $!; wait");
        inner = static_cast<pid_t>(std::stol(child.ask("", Until::line, {}, never).text));
        EXPECT_EQ(::kill(inner, 0), 0);
    }
    // An orphan is a zombie until whoever adopts it looks: it is gone when nothing or a zombie is left.
    for (int i = 0; i < 200 && ::kill(inner, 0) == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    ChildProcess look = shell("ps -o stat= -p " + std::to_string(inner) + " | grep -v Z");
    EXPECT_EQ(look.ask("", Until::end, {}, never).text, "");
}

TEST(ChildProcess, OutputWithoutEndIsCutOff) {
    ChildProcess child = shell("cat /dev/zero");
    const auto reply = child.ask("", Until::line, {}, never);
    EXPECT_GT(reply.text.size(), std::size_t{16} << 20U);
}

TEST(ChildProcess, KeepsTheEndOfItsErrors) {
    ChildProcess child =
        shell("i=0; while [ $i -lt 500 ]; do echo \"line $i\" >&2; i=$((i+1)); done; exit 1");
    child.ask("", Until::end, {}, never);
    EXPECT_EQ(child.how_it_ended(), "ended with status 1");
    EXPECT_LE(child.errors().size(), 1000U);
    EXPECT_THAT(child.errors(), HasSubstr("line 499\n"));
}

}  // namespace
}  // namespace dse::explore
