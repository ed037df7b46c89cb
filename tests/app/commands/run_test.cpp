// Also tests: sweep_run.cpp, run_summary.cpp
// Also tests: failure_report.cpp
#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "app/run_app.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::read_file;
using dse::test::TemporaryFolder;
using test::run_app;
using test::tiny_sweep;
using testing::AllOf;
using testing::HasSubstr;

/// 4 x 2 = 8 points of the grid; tp · pp = 16 is more than the 8 devices, so one is left out.
const std::string axes = "axes:\n  tp: [1, 2, 4, 8]\n  pp: [1, 2]\nrequire: [devices % (tp * pp) == 0]\n";

class Run : public testing::Test {
  protected:
    void SetUp() override { dist::clear_stop_request(); }
    void TearDown() override { dist::clear_stop_request(); }

    [[nodiscard]] test::Outcome run(const std::string& yaml,
                                    const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{folder_.write("tiny.yaml", yaml), "-o", output()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_app(arguments);
    }
    [[nodiscard]] std::string output() const { return folder_.path("out.h5"); }

    TemporaryFolder folder_;
};

TEST_F(Run, WritesARowForEveryPointOfTheSpace) {
    const auto outcome = run(tiny_sweep(axes));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("tiny: 7 points"), HasSubstr("Pareto front"), HasSubstr(output())));
    const results::Table table = results::read_results(output());
    EXPECT_EQ(table.rows(), 7U);
    // Ids are mixed radix, the first axis slowest: (8, 2) would be 7.
    EXPECT_EQ(table.point_id.back(), 6U);
    EXPECT_EQ(table.point_value("tp")[6], 8.0);
    EXPECT_EQ(table.point_value("pp")[6], 1.0);
    EXPECT_EQ(table.schema.sweep.points, 8U);
}

TEST_F(Run, AgreesWithPoint) {
    const std::string sweep = folder_.write("tiny.yaml", tiny_sweep(axes));
    ASSERT_EQ(run_app({sweep, "-o", output(), "--parts", "all"}).code, 0);
    const results::Table table = results::read_results(output());
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const auto json =
            run_app({"point", sweep, "--json", "--set", fmt::format("tp={}", table.point_value("tp")[i]),
                     "--set", fmt::format("pp={}", table.point_value("pp")[i])})
                .json();
        EXPECT_EQ(json["status"], space::name(table.status[i]));
        for (const auto& column : table.schema.metrics) {
            const auto& value = json["metrics"][column.name];
            const double row = table.metric(column.name)[i];
            if (value.is_null()) {
                EXPECT_TRUE(std::isnan(row)) << column.name;
            } else {
                EXPECT_EQ(value.get<double>(), row) << column.name;
            }
        }
    }
}

TEST_F(Run, ACompleteSweepIsNotRunAgain) {
    ASSERT_EQ(run(tiny_sweep(axes)).code, 0);
    const std::string before = read_file(output());
    const auto again = run(tiny_sweep(axes));
    EXPECT_EQ(again.code, 0);
    EXPECT_THAT(again.out, HasSubstr("The sweep is complete"));
    EXPECT_EQ(read_file(output()), before);
}

TEST_F(Run, GoesOnAfterALimit) {
    const auto first = run(tiny_sweep(axes), {"--limit", "3"});
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.err, HasSubstr("Points remain"));
    EXPECT_EQ(results::read_results(output()).rows(), 3U);
    const auto second = run(tiny_sweep(axes));
    ASSERT_EQ(second.code, 0) << second.err;
    EXPECT_THAT(second.out, HasSubstr("4 points in"));
    EXPECT_EQ(results::read_results(output()).rows(), 7U);
}

/// Together the files of all shards are the file of one run, and a run over what was merged finds nothing
/// left.
TEST_F(Run, SharesThePointsBetweenShards) {
    const std::string sweep = folder_.write("tiny.yaml", tiny_sweep(axes));
    std::vector<std::string> merge{"merge", "-o", output()};
    std::size_t rows = 0;
    for (const std::string shard : {"1/3", "2/3", "3/3"}) {
        const std::string part = folder_.path("part" + shard.substr(0, 1) + ".h5");
        const auto ended = run_app({sweep, "--shard", shard, "-o", part});
        ASSERT_EQ(ended.code, 0) << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("This is shard " + shard.substr(0, 1) + " of 3"));
        rows += results::read_results(part).rows();
        merge.push_back(part);
    }
    EXPECT_EQ(rows, 7U);
    ASSERT_EQ(run_app(merge).code, 0);
    EXPECT_EQ(results::read_results(output()).rows(), 7U);
    EXPECT_THAT(run(tiny_sweep(axes)).out, HasSubstr("The sweep is complete"));
}

TEST_F(Run, StopsOnASignalAndGoesOn) {
    // The handler is installed by the first run; raised before the second begins, it stops that one at once.
    ASSERT_EQ(run(tiny_sweep(axes), {"--limit", "3"}).code, 0);
    dist::install_stop_signals();
    std::raise(SIGUSR1);
    const auto stopped = run(tiny_sweep(axes));
    EXPECT_EQ(stopped.code, 4);
    EXPECT_THAT(stopped.err, HasSubstr("The same command resumes it"));
    dist::clear_stop_request();
    ASSERT_EQ(run(tiny_sweep(axes)).code, 0);
    EXPECT_EQ(results::read_results(output()).rows(), 7U);
}

TEST_F(Run, RefusesAChangedSweepAndSaysWhatChanged) {
    ASSERT_EQ(run(tiny_sweep(axes)).code, 0);
    const std::string before = read_file(output());
    const auto changed = run(tiny_sweep(axes), {"--set", "global_batch=16"});
    EXPECT_EQ(changed.code, 2);
    EXPECT_THAT(changed.err, AllOf(HasSubstr("workload.global_batch: was 8, now 16"), HasSubstr("--fresh")));
    EXPECT_EQ(read_file(output()), before);
    const auto fresh = run(tiny_sweep(axes), {"--set", "global_batch=16", "--fresh"});
    EXPECT_EQ(fresh.code, 0) << fresh.err;
    EXPECT_EQ(read_file(output() + ".previous"), before);
}

TEST_F(Run, SaysLoudlyThatNothingFits) {
    const auto outcome =
        run(tiny_sweep("axes: {tp: [1, 2]}\n"), {"--set", "cluster.device.memory.capacity=1 GiB"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("NO FEASIBLE POINT"), HasSubstr("2 times, as in: needs")));
    EXPECT_EQ(run_app({"pareto", output()}).code, 1);
}

TEST_F(Run, WritesNoFileThatItsNameDenies) {
    const std::string sweep = folder_.write("tiny.yaml", tiny_sweep("axes: {tp: [1, 2]}\n"));
    const auto outcome = run_app({sweep, "-o", folder_.path("out.csv")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("out.csv: results are written as HDF5, to FILE.h5"));
}

TEST_F(Run, SaysThatNoPointMeetsItsConditions) {
    const auto outcome = run(tiny_sweep("axes: {tp: [1, 2]}\nwhere: [iteration_time < 1e-9, mfu > 0.1]\n"));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(
        outcome.out,
        HasSubstr(
            "NO POINT MEETS THE CONDITIONS of the sweep's 'where': iteration_time < 1e-9 and mfu > 0.1"));
    const auto front = run_app({"pareto", output()});
    EXPECT_EQ(front.code, 1);
    EXPECT_THAT(front.err,
                HasSubstr("no feasible point among 2 fulfils the sweep's 'where' (iteration_time < 1e-9"));
}

/// Engine event looks at the clock between nodes, and no point is played in a microsecond.
const std::string too_short =
    "axes:\n  tp: [8]\n  microbatch: [1, 2, 4]\nfidelity: {engine: event, time_limit: 1 us}\n";

TEST_F(Run, EndsWithOneWhereEveryPointFailed) {
    const auto outcome = run(tiny_sweep(too_short));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("dse: all 3 points failed, 3 of them as in: took longer than 1 us"),
                      HasSubstr("dse export " + output() + " --csv"), HasSubstr("--fresh")));
    EXPECT_EQ(results::read_results(output()).rows(), 3U);
    // The rows of earlier runs count, also where nothing is left to do.
    const auto again = run(tiny_sweep(too_short), {"--json"});
    EXPECT_EQ(again.code, 1);
    EXPECT_EQ(again.json()["status"]["timed_out"], 3);
    EXPECT_THAT(again.err, HasSubstr("all 3 points failed"));
}

TEST_F(Run, CountsThePointsOfEarlierRunsAsFailedToo) {
    const auto first = run(tiny_sweep(too_short), {"--limit", "1"});
    EXPECT_EQ(first.code, 1);
    EXPECT_THAT(first.err, AllOf(HasSubstr("all 1 point failed"), HasSubstr("Points remain")));
    const auto second = run(tiny_sweep(too_short));
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.err, HasSubstr("all 3 points failed"));
}

TEST_F(Run, EvaluatesWhatRanOutOfTimeAgainOnceThereIsMore) {
    ASSERT_EQ(run(tiny_sweep(too_short)).code, 1);
    const auto longer = run(tiny_sweep(too_short), {"--set", "time_limit=1 h", "--json"});
    EXPECT_EQ(longer.code, 0) << longer.err;
    EXPECT_EQ(longer.json()["status"]["timed_out"], 0);
    EXPECT_EQ(longer.json()["points"], 3);
}

// Metrics have these names, too: readers that put all columns side by side would lose one of them.
TEST_F(Run, AnAxisThatIsCalledAsAMetricHasTheColumnOfItsField) {
    ASSERT_EQ(run(tiny_sweep("axes:\n  tp: [8]\n  exposed_tp: [1.0, 0.4]\n")).code, 0);
    const results::Table table = results::read_results(output());
    EXPECT_EQ(table.schema.points[1].name, "workload.exposed_tp");
    EXPECT_EQ(table.point_value("workload.exposed_tp")[1], 0.4);
    const auto outcome =
        run(tiny_sweep("axes:\n  tp: [8]\n  mfu: [1, 2]\nrequire: [mfu <= 2]\n"), {"--fresh"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("'mfu' is the name of a metric"));
}

// With the first of the two values of time_limit all three fail: 3 of 6.
TEST_F(Run, SaysHowManyFailedWhereSomeDidNot) {
    const auto outcome =
        run(tiny_sweep("axes:\n  tp: [8]\n  microbatch: [1, 2, 4]\n  time_limit: [1 us, 1 h]\n"
                       "fidelity: {engine: event}\n"));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("dse: 3 of 6 points failed, 3 of them as in: took longer than 1 us"));
}

TEST_F(Run, SumsUpForPrograms) {
    const auto outcome = run(tiny_sweep(axes), {"--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_TRUE(json.contains("schema"));
    EXPECT_EQ(json["points"], 7);
    EXPECT_EQ(json["file"], output());
    const results::Table table = results::read_results(output());
    EXPECT_EQ(json["status"]["ok"], std::count(table.status.begin(), table.status.end(), space::Status::ok));
    double least = 1e300;
    for (const double time : table.metric("iteration_time"))
        least = std::isnan(time) ? least : std::min(least, time);
    EXPECT_EQ(json["rows"][0]["metrics"]["iteration_time"].get<double>(), least);
}

TEST_F(Run, TakesItsOptions) {
    const auto outcome = run(tiny_sweep(axes), {"--rank-zero", "always", "--progress", "none"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(results::read_results(output()).rows(), 7U);
}

TEST_F(Run, DrawsASampleWhereTheSweepAsksForOne) {
    const std::string search =
        "axes: {tp: [1, 2, 4, 8], microbatch: [1, 2, 4]}\nsearch: {method: random, budget: 5}\n";
    const auto outcome = run(tiny_sweep(search));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(results::read_results(output()).rows(), 5U);
}

TEST_F(Run, SearchesWithAMethodThatLearns) {
    const std::string sweep = tiny_sweep(
        "axes: {tp: [1, 2, 4, 8], microbatch: [1, 2, 4, 8], zero: [0, 1, 2, 3], recompute: [none, full]}\n"
        "derive: {dp: devices / tp}\nrequire: [global_batch % (dp * microbatch) == 0]\n"
        "where: memory_peak <= 0.9 * memory_capacity\n"
        "search: {method: [nsga2, refine], budget: 40, population: 10}\n");
    const auto outcome = run(sweep);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Search nsga2, refine: 50 % of its hypervolume after "));
    const results::Table table = results::read_results(output());
    EXPECT_LE(table.rows(), 40U);
    EXPECT_GE(table.rows(), 20U);
    const auto again = run(sweep, {"--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.json()["search"]["method"], "nsga2, refine");
    EXPECT_EQ(again.json()["points"], table.rows()) << "nothing was left to do";
    const auto changed = run(sweep + "objectives: {energy: minimize}\n");
    EXPECT_EQ(changed.code, 2);
    EXPECT_THAT(changed.err, HasSubstr("search.objective.iteration_time"));
}

struct BadSweep {
    std::string name;
    std::string yaml;
    std::string words;
};

class RunBadSweep : public testing::TestWithParam<BadSweep> {};

TEST_P(RunBadSweep, EndsWithTwoAndLeavesNothing) {
    const TemporaryFolder folder;
    const std::string output = folder.path("results/out.h5");
    const auto outcome = run_app({folder.write("bad.yaml", GetParam().yaml), "-o", output});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(GetParam().words));
    EXPECT_FALSE(std::filesystem::exists(folder.path("results")));
}

std::string large_axes() {
    // 10^15 points.
    std::string text = "axes:\n";
    for (const char* name : {"a", "b", "c", "d", "e"})
        text += fmt::format("  {}: {{from: 1, to: 1000}}\n", name);
    return text + "require: [a + b + c + d + e > 0]\n";
}

INSTANTIATE_TEST_SUITE_P(
    Table, RunBadSweep,
    testing::Values(
        BadSweep{"Empty", "", "is empty"}, BadSweep{"OnlyComments", "# nothing\n", "is empty"},
        BadSweep{"Torn", "name: [tiny\n", "bad.yaml:"},
        BadSweep{"Tab", "name: tiny\n\tworkload: 1\n", "bad.yaml:2"},
        BadSweep{"UnknownKey", tiny_sweep(axes + "serach: {method: grid}\n"), "did you mean 'search'?"},
        BadSweep{"DuplicateKey", tiny_sweep(axes + "name: again\n"), "bad.yaml:8"},
        BadSweep{"WrongUnit", tiny_sweep("axes: {cluster.network.scale_out.bandwidth: [400 GiB]}\n"),
                 "400 GiB"},
        BadSweep{"NoUnit", tiny_sweep("axes: {cluster.network.scale_out.bandwidth: [400]}\n"), "bandwidth"},
        BadSweep{"Cycle", tiny_sweep(axes + "derive: {u: v + 1, v: u + 1}\n"), "u"},
        BadSweep{"UnknownName", tiny_sweep("axes: {tp: [1]}\nrequire: [tpp == 1]\n"), "tpp"},
        BadSweep{"NoValidValue", tiny_sweep("axes: {schedule: [zb]}\n"), "unknown value 'zb'"},
        BadSweep{"NoValues", tiny_sweep("axes: {tp: []}\n"), "axes.tp"},
        BadSweep{"NotInTheSpace", tiny_sweep("axes: {tp: [3]}\nrequire: [devices % tp == 0]\n"),
                 "devices % tp == 0 drops 1"},
        BadSweep{"UnknownModel",
                 "name: t\nworkload: {model: llama4, global_batch: 1, sequence: 1}\n"
                 "system: {cluster: h100_ndr400, devices: 8}\naxes: {tp: [1]}\n",
                 "llama4"},
        BadSweep{"UnknownFidelity", tiny_sweep("axes: {tp: [1]}\nfidelity: {engine: fold}\n"), "fold"},
        BadSweep{"TooManyPoints", tiny_sweep(large_axes()), "which no run could finish"}),
    [](const auto& tried) { return tried.param.name; });

TEST_F(Run, ReportsEveryErrorAtOnce) {
    const auto outcome = run(tiny_sweep("axes: {tp: []}\nserach: 1\nfidelity: {engine: fold}\n"));
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("axes.tp"), HasSubstr("serach"), HasSubstr("fold")));
}

TEST_F(Run, RefusesAFolderAsResults) {
    std::filesystem::create_directory(output());
    const auto outcome = run(tiny_sweep(axes));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("it is a directory"));
}

TEST_F(Run, RefusesAPlaceThatCannotBeWritten) {
    const auto outcome =
        run_app({folder_.write("tiny.yaml", tiny_sweep(axes)), "-o", "/proc/nowhere/out.h5"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("/proc/nowhere"));
}

TEST_F(Run, LeavesAFileOfSomebodyElseAlone) {
    folder_.write("out.h5", "not HDF5\n");
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--fresh"}}) {
        const auto outcome = run(tiny_sweep(axes), more);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("out.h5"));
        EXPECT_EQ(read_file(output()), "not HDF5\n");
    }
}

TEST_F(Run, OutlivesAFullDisk) {
    dist::install_stop_signals();  // a file that may not grow is then an error and no signal that kills
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit tight = before;
    tight.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &tight);
    const auto full = run(tiny_sweep(axes));
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(full.code, 2);
    EXPECT_THAT(full.err, HasSubstr("File too large"));
    const auto again = run(tiny_sweep(axes));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(results::read_results(output()).rows(), 7U);
}

// How many pieces a collective comes in matters to networks of many dimensions alone.
TEST_F(Run, NamesAxesThatChangeNothing) {
    const auto outcome =
        run(tiny_sweep("axes:\n  tp: [2, 4]\n  cluster.network.collective.chunks: [1, 4]\n"), {"--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["idle_axes"], nlohmann::json::parse(R"(["cluster.network.collective.chunks"])"));
    const auto people =
        run(tiny_sweep("axes:\n  tp: [2, 4]\n  cluster.network.collective.chunks: [1, 4]\n"), {"--fresh"});
    EXPECT_THAT(people.out, HasSubstr("Axis cluster.network.collective.chunks had no effect"));
    EXPECT_THAT(people.out, testing::Not(HasSubstr("Axis tp")));
}

/// Answers of an older file are known from the beginning; the best of them stand in the new one.
TEST_F(Run, LearnsFromOlderFiles) {
    const std::string layouts =
        "axes:\n  tp: [2, 4, 8]\n  pp: [1, 2]\n  schedule: [1f1b, interleaved]\n"
        "  virtual_stages: {when: schedule == 'interleaved', values: [2, 4]}\nrequire: [devices % (tp * pp) "
        "== 0, pp > 1 or schedule == '1f1b']\n";
    const std::string older = folder_.path("older.h5");
    ASSERT_EQ(run_app({folder_.write("older.yaml", tiny_sweep(layouts)), "-o", older}).code, 0);
    const std::string file = folder_.path("newer.h5");
    const std::string sweep = folder_.write(
        "newer.yaml",
        tiny_sweep(layouts + "search: {method: nsga2, budget: 12, population: 4, from: [older.h5]}\n"));
    ASSERT_EQ(run_app({sweep, "-o", file}).code, 0);
    const auto front = [](const std::string& path) {
        std::vector<nlohmann::json> points;
        const nlohmann::json json = run_app({"pareto", path, "--json"}).json();
        for (const auto& row : json["rows"]) points.push_back(row["point"]);
        std::sort(points.begin(), points.end());
        return points;
    };
    EXPECT_EQ(front(file), front(older));
    EXPECT_EQ(results::read_results(file).rows(), front(older).size()) << "nothing else is left to ask for";
    EXPECT_EQ(run_app({sweep, "-o", file}).code, 0) << "it goes on, and is complete";
    ASSERT_EQ(run_app({folder_.path("older.yaml"), "-o", older, "--fresh", "--set", "global_batch=16"}).code,
              0);
    const auto other = run_app({sweep, "-o", folder_.path("other.h5")});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("workload.global_batch is '16' there and '8' here"));
}

}  // namespace
}  // namespace dse::app
