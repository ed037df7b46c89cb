// Also tests: registry.cpp, launch.cpp
#include "app/command_line.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/run_app.hpp"

namespace dse::app {
namespace {

using test::run_app;
using testing::HasSubstr;

TEST(CommandLine, WithoutArgumentsSaysHowItIsUsed) {
    const auto outcome = run_app({});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("dse SWEEP.yaml"));
}

TEST(CommandLine, HelpNamesEveryCommand) {
    const auto outcome = run_app({"--help"});
    EXPECT_EQ(outcome.code, 0);
    for (const Command& command : commands()) EXPECT_THAT(outcome.out, HasSubstr("  " + command.name + " "));
}

TEST(CommandLine, EveryCommandHasHelp) {
    for (const Command& command : commands()) {
        const auto outcome = run_app({command.name, "--help"});
        EXPECT_EQ(outcome.code, 0) << command.name;
        EXPECT_THAT(outcome.out, HasSubstr("Usage: dse " + command.name + " [OPTIONS]")) << command.name;
    }
}

TEST(CommandLine, SaysWhatItWasBuiltFrom) {
    const auto outcome = run_app({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, testing::MatchesRegex("dse [0-9.]+ \\([^)]+\\)\n"));
}

TEST(CommandLine, SaysThatItsOutputIsLost) {
    std::cout.setstate(std::ios::badbit);  // as after a write to a full disk
    const int code = run_command_line({"--version"});
    std::cout.clear();
    EXPECT_EQ(code, 2);
}

TEST(CommandLine, EndsSilentlyWhenTheReaderOfAPipeHasGone) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    close(ends[0]);
    const auto handler = std::signal(SIGPIPE, SIG_IGN);
    std::cout.flush();
    const int output = dup(STDOUT_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    testing::internal::CaptureStderr();
    const int code = run_command_line({"--version"});
    dup2(output, STDOUT_FILENO);
    for (const int descriptor : {output, ends[1]}) close(descriptor);
    std::cout.clear();
    std::signal(SIGPIPE, handler);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(code, 0);
}

TEST(CommandLine, NamesTheNearestCommand) {
    const auto outcome = run_app({"plann", "x"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("unknown command 'plann' (did you mean 'plan'?)"));
}

TEST(CommandLine, TakesAnythingElseForASweep) {
    const auto outcome = run_app({"nowhere.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("nowhere.yaml"));
}

TEST(CommandLine, NamesTheNearestOption) {
    const auto outcome = run_app({"plan", test::smoke_sweep(), "--jsno"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("unknown option --jsno (did you mean '--json'?)"));
}

struct BadArguments {
    std::string name;
    std::vector<std::string> arguments;
    std::string words;
};

TEST(CommandLine, SaysWhatIsMissingOrTwice) {
    EXPECT_THAT(run_app({"-x", "a.yaml"}).err, HasSubstr("unknown option -x"));
    EXPECT_THAT(run_app({"--versoin"}).err, HasSubstr("did you mean '--version'?"));
    EXPECT_THAT(run_app({"et"}).err, HasSubstr("a subcommand is missing: one of info, check, diff"));
    EXPECT_THAT(run_app({"et", "chekc"}).err,
                HasSubstr("'chekc' is not one of its subcommands (did you mean 'check'?)"));
    EXPECT_THAT(run_app({"best", "a.h5", "--by", "tp", "--by", "pp"}).err,
                HasSubstr("--by is given 2 times, but takes one value"));
    EXPECT_THAT(run_app({"completion"}).err, HasSubstr("dse: bash|zsh|fish is missing"));
}

TEST(CommandLine, ListsEntriesWithAWord) {
    const auto fields = run_app({"list", "fields", "SLO.ttft_p99"});
    EXPECT_EQ(fields.code, 0) << fields.err;
    EXPECT_THAT(fields.out, HasSubstr("workload.slo.ttft_p99"));
    EXPECT_EQ(std::count(fields.out.begin(), fields.out.end(), '\n'), 2) << "a heading and one field";
    EXPECT_THAT(run_app({"list", "fields", "nonsense"}).err, HasSubstr("none of the fields has 'nonsense'"));
}

TEST(CommandLine, HelpIsAWordToo) {
    EXPECT_EQ(run_app({"help"}).out, run_app({"--help"}).out);
    EXPECT_EQ(run_app({"help", "pareto"}).out, run_app({"pareto", "--help"}).out);
    EXPECT_THAT(run_app({"help", "paret"}).err, HasSubstr("did you mean 'pareto'?"));
}

class CommandLineBadArguments : public testing::TestWithParam<BadArguments> {};

TEST_P(CommandLineBadArguments, EndWithTwoAndAReason) {
    const auto outcome = run_app(GetParam().arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(GetParam().words));
    EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Table, CommandLineBadArguments,
    testing::Values(
        BadArguments{"NoSweep", {"plan"}, "SWEEP.yaml is missing"},
        BadArguments{"TwoSweeps", {"plan", "a.yaml", "b.yaml"}, "b.yaml"},
        BadArguments{"NoValueToSet", {"plan", "a.yaml", "--set"}, "--set"},
        BadArguments{"NothingSet", {"point", test::smoke_sweep(), "--set", "tp"}, "key=value"},
        BadArguments{
            "SetTwice", {"point", test::smoke_sweep(), "--set", "tp=1", "--set", "tp=2"}, "tp=1 and tp=2"},
        BadArguments{"LimitIsNoNumber", {"a.yaml", "--limit", "many"}, "many"},
        BadArguments{"LimitIsNegative", {"a.yaml", "--limit", "-1"}, "--limit"},
        BadArguments{"LimitIsZero", {"a.yaml", "--limit", "0"}, "--limit"},
        BadArguments{"LimitIsTooHigh", {"a.yaml", "--limit", "10000000000000"}, "--limit"},
        BadArguments{"GemmOfNaN", {"gemm", "nan", "2", "3", "--device", "h100_sxm"}, "nan is not a number"},
        BadArguments{"TopIsNegative", {"pareto", "a.h5", "--top", "-1"}, "--top"},
        BadArguments{
            "FidelityWithoutModel", {"compare", test::smoke_sweep(), "--fidelity", "event"}, "part=model"},
        BadArguments{"ComparesResults", {"compare", "a.h5", "b.h5"}, "dse diff"},
        BadArguments{"RankZeroIsNone", {"a.yaml", "--rank-zero", "perhaps"}, "perhaps"},
        BadArguments{"GemmOfFractions",
                     {"gemm", "1", "2.5", "3", "--device", "h100_sxm"},
                     "2.5 is not a whole number"},
        BadArguments{"GemmOfWords", {"gemm", "1", "2", "three", "--device", "h100_sxm"}, "three"},
        BadArguments{"GemmOfNothing", {"gemm", "0", "2", "3", "--device", "h100_sxm"}, "0"},
        BadArguments{"UnknownDevice", {"gemm", "1", "2", "3", "--device", "h100_sxn"}, "h100_sxm"},
        BadArguments{
            "UnknownCollective",
            {"collective", "all_reduse", "--bytes", "1 MiB", "--ranks", "8", "--system", "h100_ndr400"},
            "did you mean 'all_reduce'?"},
        BadArguments{"BytesWithoutUnit",
                     {"collective", "all_reduce", "--bytes", "64", "--ranks", "8", "--system", "h100_ndr400"},
                     "--bytes 64"},
        BadArguments{"NoFamily", {"list", "devcies"}, "did you mean 'devices'?"},
        BadArguments{"NoFormat", {"export", "a.h5"}, "--csv or --parquet"},
        BadArguments{"NoResults", {"pareto", "nowhere.h5"}, "nowhere.h5"},
        BadArguments{"MergeIntoNothing", {"merge", "a.h5"}, "--output is required"},
        BadArguments{"NoName", {"plan", ""}, "without a name"},
        BadArguments{"NoNameOfResults", {"report", ""}, "no such file"},
        BadArguments{"OneOfTwoResults", {"diff", "a.h5"}, "B.h5 is missing"},
        BadArguments{"PagesIntoAFile", {"man", "-o", test::smoke_sweep()}, "cannot make the folder"},
        BadArguments{"SweepForResults", {"pareto", test::smoke_sweep()}, "run it first"},
        BadArguments{"IntoNoFolder", {"init", "-o", "nowhere/a.yaml"}, "there is no folder 'nowhere'"},
        BadArguments{"IntoAFolder", {"init", "-o", "."}, "it is a directory"},
        BadArguments{"NoPicture", {"report", "a.h5", "-o", "a.doc"}, ".png"}),
    [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace dse::app
