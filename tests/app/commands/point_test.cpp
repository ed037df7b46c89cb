// Also tests: point_report.cpp, why_report.cpp, json_output.cpp, sweep_options.cpp
// Also tests: timeline_file.cpp, force.cpp
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "app/text_table.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::run_app;
using testing::HasSubstr;

const std::vector<std::string> good{
    "point", test::smoke_sweep(), "--set", "tp=2", "--set", "pp=2", "--set", "zero=1",
    "--set", "recompute=full"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

double sum_of(const nlohmann::json& object) {
    double sum = 0.0;
    for (const auto& [key, value] : object.items()) sum += value.get<double>();
    return sum;
}

TEST(Point, SaysHowFarItMayBeOff) {
    const auto metrics = run_app(with(good, {"--json"})).json()["metrics"];
    EXPECT_LT(metrics["iteration_time_low"], metrics["iteration_time"]);
    EXPECT_GT(metrics["iteration_time_high"], metrics["iteration_time"]);
    EXPECT_LT(metrics["memory_peak_low"], metrics["memory_peak"]);
    EXPECT_GT(metrics["memory_peak_high"], metrics["memory_peak"]);
    EXPECT_GE(metrics["probability_fits"].get<double>(), 0.5) << "it fits";
    const auto outcome = run_app(good);
    EXPECT_THAT(outcome.out, HasSubstr(", 80 %)   MFU"));
    EXPECT_THAT(outcome.out, HasSubstr("fits with a probability of"));
}

// Gathers over slow links fill the path; the kernels beside them are not on it.
TEST(Point, SaysWhenKernelsRunBesideTheCommunicationOnThePath) {
    const dse::test::TemporaryFolder folder;
    const std::string sweep = folder.write("t.yaml", test::tiny_sweep("axes: {zero: [3]}\n"));
    const auto slow = run_app({"point", sweep, "--set", "scale_up.bandwidth=20 GB/s", "--no-what-if"});
    ASSERT_EQ(slow.code, 0) << slow.err;
    EXPECT_THAT(slow.out, HasSubstr("Kernels run during 5."));
    EXPECT_THAT(run_app(good).out, testing::Not(HasSubstr("Kernels run during")));
}

TEST(Point, FitsANarrowTerminal) {
    setenv("COLUMNS", "40", 1);
    const auto narrow = run_app(good);
    unsetenv("COLUMNS");
    std::istringstream lines{narrow.out};
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 46U) << line;
    EXPECT_THAT(narrow.out, HasSubstr("sum = iteration time"));
}

// Both folders have a model of this name: the sweep means its own.
TEST(Point, TakesAModelFromBesideTheSweep) {
    const dse::test::TemporaryFolder folder;
    const std::string models = std::string{DSE_SOURCE_DIR} + "/workloads/models/";
    folder.write("m.yaml", dse::test::read_file(models + "llama3_70b.yaml"));
    folder.write("study/m.yaml", dse::test::read_file(models + "llama3_8b.yaml"));
    const std::string yaml =
        "name: t\nworkload: {model: ./m.yaml, global_batch: 32, sequence: 4096}\n"
        "system: {cluster: h100_ndr400, devices: 32}\naxes: {tp: [8]}\n";
    const std::string sweep = folder.write("study/s.yaml", yaml);
    const auto parameters = [&](const std::vector<std::string>& more) {
        return run_app(with({"point", sweep, "--no-what-if", "--json"}, more))
            .json()["metrics"]["memory_parameters"];
    };
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path(""));
    const auto own = parameters({});
    std::filesystem::current_path(before);
    EXPECT_EQ(own, parameters({"--set", "model=llama3_8b"}));
    EXPECT_NE(own, parameters({"--set", "model=llama3_70b"}));
}

// What cannot be written is said at once, not after the report.
TEST(Point, AsksFirstWhetherItsFilesCanBeWritten) {
    const dse::test::TemporaryFolder folder;
    const auto outcome = run_app(with(good, {"--timeline", folder.path("no/such/t.json")}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("there is no folder"));
    const std::string sweep = test::smoke_sweep();
    const auto device = run_app({"point", sweep, "--timeline", "/proc/t.json"});
    EXPECT_EQ(device.code, 2);
    EXPECT_EQ(device.out, "") << "the system lets nobody write there";
}

TEST(Point, JsonHasTheNamesThatAreFixed) {
    const auto outcome = run_app(with(good, {"--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_TRUE(json.contains("schema"));
    EXPECT_EQ(json["status"], "ok");
    EXPECT_EQ(json["reason"], "");
    for (const char* key : {"compute", "communication", "message", "idle"}) {
        EXPECT_TRUE(json["parts"].contains(key)) << key;
        EXPECT_TRUE(json["bubble"].contains(key)) << key;
    }
    ASSERT_EQ(json["stages"].size(), 2U);
    for (const char* key : {"stage", "busy", "compute", "communication", "waits"}) {
        EXPECT_TRUE(json["stages"][1].contains(key)) << key;
    }
    for (const char* key : {"parameters", "gradients", "optimizer", "activations"}) {
        EXPECT_GT(json["memory"][key].get<double>(), 0.0) << key;
    }
}

TEST(Point, PartsSumToTheTimeAndMemoryToThePeak) {
    const auto json = run_app(with(good, {"--json"})).json();
    const double time = json["metrics"]["iteration_time"].get<double>();
    const auto sum = [](const nlohmann::json& parts) {
        return parts["compute"].get<double>() + sum_of(parts["communication"]) +
               parts["message"].get<double>() + parts["idle"].get<double>();
    };
    // Times are multiples of 2^-40 s: their sums are exact.
    EXPECT_EQ(sum(json["parts"]) + sum(json["bubble"]), time);
    EXPECT_EQ(sum(json["bubble"]), json["metrics"]["bubble"].get<double>());
    EXPECT_EQ(sum_of(json["parts"]["compute_by_class"]), json["parts"]["compute"].get<double>());
    for (const auto& stage : json["stages"]) {
        EXPECT_EQ(stage["busy"].get<double>() + stage["waits"].get<double>(), time);
    }
    EXPECT_DOUBLE_EQ(sum_of(json["memory"]), json["metrics"]["memory_peak"].get<double>());
}

TEST(Point, SaysWhichValuesItChose) {
    const auto outcome = run_app(good);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    // Not set: microbatch and schedule; with pp = 2 both schedules are in the space.
    EXPECT_THAT(outcome.err, HasSubstr("using the first valid value: microbatch=1 schedule=gpipe"));
    EXPECT_THAT(outcome.out, HasSubstr("sum = iteration time"));
    EXPECT_THAT(outcome.out, HasSubstr("100.0 %"));
}

TEST(Point, AnInfeasiblePointIsAnAnswer) {
    // 8 billion parameters in one device, 16 B each, are 120 GiB.
    const auto outcome = run_app({"point", test::smoke_sweep(), "--set", "tp=1", "--set", "pp=1", "--set",
                                  "zero=0", "--set", "recompute=none", "--json"});
    EXPECT_EQ(outcome.code, 1) << "the answer is no; " << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["status"], "out_of_memory");
    EXPECT_THAT(json["reason"].get<std::string>(), HasSubstr("GiB"));
    EXPECT_TRUE(json["metrics"]["iteration_time"].is_null());
    EXPECT_GT(sum_of(json["memory"]), 80.0 * 1073741824.0);
    EXPECT_GT(json["metrics"]["memory_peak"], json["metrics"]["memory_capacity"]);
    EXPECT_GT(json["metrics"]["memory_peak_high"], json["metrics"]["memory_peak"]);
    EXPECT_LT(json["metrics"]["probability_fits"], 0.5);
}

TEST(Point, NamesTheRequirementThatDropsAPoint) {
    // dp = 32 / 3 is no integer.
    const auto outcome = run_app({"point", test::smoke_sweep(), "--set", "tp=3", "--set", "pp=1"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("dp = devices / (tp * pp)"));
}

TEST(Point, IsChosenByADerivedValue) {
    const auto json = run_app({"point", test::smoke_sweep(), "--set", "dp=4", "--json"}).json();
    EXPECT_EQ(json["point"]["dp"], 4);
    const auto outcome = run_app({"point", test::smoke_sweep(), "--set", "dp=5"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--set: dp == 5 drops"));
    EXPECT_THAT(run_app({"point", test::smoke_sweep(), "--set", "dp=many"}).err,
                HasSubstr("'many' is not an integer"));
}

TEST(Point, HasTheIdOfItsRow) {
    const dse::test::TemporaryFolder folder;
    const std::string sweep =
        folder.write("t.yaml", test::tiny_sweep("axes:\n  recompute: [none, full]\n  tp: [1, 2, 4, 8]\n"));
    const auto id = [&](const std::vector<std::string>& settings) {
        std::vector<std::string> arguments{"point", sweep, "--json", "--no-what-if"};
        for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
        return run_app(arguments).json()["point"]["id"];
    };
    // recompute varies slowest: four points each.
    EXPECT_EQ(id({"recompute=full", "tp=4"}), 6);
    EXPECT_EQ(id({}), 0);
    EXPECT_TRUE(id({"tp=16"}).is_null()) << "no row has it";
    EXPECT_THAT(run_app({"point", sweep, "--set", "recompute=full", "--set", "tp=4"}).out,
                HasSubstr("point 6: recompute=full tp=4"));
}

TEST(Point, ASweepWithoutAxesIsOnePoint) {
    const dse::test::TemporaryFolder folder;
    const std::string sweep = folder.write("one.yaml", test::tiny_sweep(""));
    const auto json = run_app({"point", sweep, "--json"}).json();
    EXPECT_EQ(json["status"], "ok");
    EXPECT_EQ(run_app({"check", sweep}).code, 0);
}

TEST(Point, SaysWhyInJson) {
    const auto json = run_app(with(good, {"--json"})).json();
    const double time = json["metrics"]["iteration_time"];
    double path = 0.0;
    for (const auto& row : json["critical_path"]["operators"]) path += row["time"].get<double>();
    EXPECT_NEAR(path, time, 1e-12 * time);

    std::map<std::string, double> exposed;
    for (const auto& row : json["communication"]) {
        exposed[row["group"]] +=
            row["needed"].get<double>() + row["queued"].get<double>() + row["held"].get<double>();
    }
    const auto& stage = json["stages"][json["busiest_stage"].get<std::size_t>()];
    for (const auto& [group, seconds] : stage["communication"].items())
        EXPECT_NEAR(exposed[group], seconds.get<double>(), 1e-9 * time) << group;

    EXPECT_EQ(json["tiers"][0]["name"], "scale_up");
    EXPECT_GT(json["tiers"][0]["utilization"].get<double>(), 0.0);
    EXPECT_GT(json["streams"]["compute"].get<double>(), 0.0);
    const auto& best = json["what_if"][0];
    EXPECT_GT(best["elasticity"].get<double>(), 0.1);
    EXPECT_EQ(best["changes"].size(), 4U);
    EXPECT_LT(best["changes"][2]["iteration_time"].get<double>(), time);
}

TEST(Point, SaysWhyToPeople) {
    const auto outcome = run_app(good);
    for (const char* heading : {"Critical path", "Communication of stage", "Use of the network",
                                "How busy its streams are", "What a better machine buys"}) {
        EXPECT_THAT(outcome.out, HasSubstr(heading));
    }
    const auto brief = run_app(with(good, {"--no-what-if"}));
    EXPECT_THAT(brief.out, testing::Not(HasSubstr("What a better machine buys")));
    EXPECT_THAT(brief.out, HasSubstr("Critical path"));
}

// Two products of one size: a compiler gives each instruction a number, and people ask for all products
// together.
TEST(Point, SumsInstructionsOfAProgramByKindForPeople) {
    const dse::test::TemporaryFolder folder;
    folder.write("step.hlo", R"(HloModule step
ENTRY main {
  x = bf16[4096,4096] parameter(0)
  dot.1 = bf16[4096,4096] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT dot.2 = bf16[4096,4096] dot(dot.1, dot.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})");
    const std::string sweep =
        folder.write("sweep.yaml", "name: s\nworkload: {ir: " + folder.path("step.hlo") +
                                       "}\nsystem: {cluster: h100_ndr400, devices: 1}\n"
                                       "axes: {fusion: [none]}\n");
    const auto people = run_app({"point", sweep, "--no-what-if"});
    ASSERT_EQ(people.code, 0) << people.err;
    EXPECT_THAT(people.out, testing::ContainsRegex("dot +main +gemm +2 "));
    std::map<std::string, double> times;
    const auto json = run_app({"point", sweep, "--json"}).json();
    for (const auto& row : json["critical_path"]["operators"]) times[row["name"]] = row["count"];
    EXPECT_EQ(times["dot.1"], 1.0);
    EXPECT_EQ(times["dot.2"], 1.0);
}

TEST(Point, WritesATimelineThatTracersRead) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.path("timeline.json");
    const auto outcome = run_app(with(good, {"--timeline", file, "--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto trace = nlohmann::json::parse(dse::test::read_file(file));
    double last = 0.0;
    for (const auto& event : trace["traceEvents"]) {
        if (event["ph"] == "X") last = std::max(last, event["ts"].get<double>() + event["dur"].get<double>());
    }
    // Microseconds; the barrier comes after the last event.
    const double iteration = 1e6 * outcome.json()["metrics"]["iteration_time"].get<double>();
    EXPECT_LE(last, iteration + 1e-5);
    EXPECT_GT(last, 0.99 * iteration);
    EXPECT_EQ(run_app(with(good, {"--timeline", folder.path("no/folder.json")})).code, 2);
    const auto again = run_app(with(good, {"--timeline", file}));
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, testing::HasSubstr("already exists"));
    EXPECT_EQ(run_app(with(good, {"--timeline", file, "--force"})).code, 0);
}

/// Kernels that are slower beside communication are only simulated by engine event, which lists no nodes.
TEST(Point, WithoutATimelineSaysWhy) {
    const dse::test::TemporaryFolder folder;
    const auto slowed = with(good, {"--no-what-if", "--set", "fidelity.engine=event", "--set",
                                    "cluster.device.overlap.rule=measured"});
    const auto outcome = run_app(slowed);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("no critical path and no streams, which engine folded lists for all engines"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("Critical path")));
    EXPECT_THAT(outcome.out, Not(HasSubstr("How busy its streams are")));
    const auto drawn = run_app(with(slowed, {"--timeline", folder.path("t.json")}));
    EXPECT_EQ(drawn.code, 2);
    EXPECT_THAT(drawn.err,
                HasSubstr("--timeline: the point has none: engine folded does not support measured"));
    const auto invalid = run_app({"point", test::smoke_sweep(), "--set", "tp=4", "--set", "workload.cp=3",
                                  "--timeline", folder.path("t.json")});
    EXPECT_THAT(invalid.err, HasSubstr("--timeline: the point has none: "));
    EXPECT_THAT(invalid.err, HasSubstr("not divisible"));
}

/// The stages that a timeline shows.
std::set<int> stages_of(const std::string& trace) {
    std::set<int> stages;
    const auto json = nlohmann::json::parse(trace);
    for (const auto& event : json["traceEvents"]) {
        if (event["ph"] == "X") stages.insert(event["pid"].get<int>());
    }
    return stages;
}

TEST(Point, ATimelineOfManyStagesShowsRepresentativeOnes) {
    const dse::test::TemporaryFolder folder;
    const std::string sweep =
        folder.write("deep.yaml",
                     "name: deep\nworkload: {model: llama3_8b, global_batch: 8, sequence: 2048}\n"
                     "system: {cluster: h100_ndr400, devices: 8}\naxes: {pp: [8]}\n");
    const auto timeline = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"point", sweep, "--no-what-if", "--timeline", folder.path(name)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run_app(arguments);
        EXPECT_NE(outcome.code, 2) << outcome.err;
        return dse::test::read_file(folder.path(name));
    };
    const std::string few = timeline("few.json", {});
    const std::set<int> shown = stages_of(few);
    EXPECT_LE(shown.size(), 3U);
    EXPECT_TRUE(shown.contains(0) && shown.contains(7));
    const std::string all = timeline("all.json", {"--timeline-stages", "all"});
    EXPECT_EQ(stages_of(all).size(), 8U);
    EXPECT_EQ(stages_of(timeline("two.json", {"--timeline-stages", "1,5"})), (std::set<int>{1, 5}));
    EXPECT_LT(timeline("few.json.gz", {}).size() * 5, few.size());
    EXPECT_EQ(run_app({"point", sweep, "--timeline", folder.path("x.json"), "--timeline-stages", "8"}).code,
              2);
}

TEST(Point, AnUnknownKeyIsAnError) {
    const auto outcome = run_app({"point", test::smoke_sweep(), "--set", "tpp=3"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("tpp"));
}

TEST(Point, FieldsThatAreNoAxisCanBeSet) {
    const auto arguments = with(good, {"--json"});
    const double before = run_app(arguments).json()["metrics"]["iteration_time"];
    const double after =
        run_app(with(arguments, {"--set", "system.cluster.network.scale_up.bandwidth=100 GB/s"}))
            .json()["metrics"]["iteration_time"];
    EXPECT_GT(after, before);
}

}  // namespace
}  // namespace dse::app
