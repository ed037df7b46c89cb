// Also tests: commands/gemm.cpp, commands/collective.cpp, commands/compare.cpp, commands/list.cpp
// Also tests: commands/check.cpp, file_check.cpp, table_check.cpp
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/file_check.hpp"
#include "app/run_app.hpp"
#include "app/text_table.hpp"
#include "dse/netsim/registry.hpp"
#include "support/schedule_files.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using test::tiny_sweep;
using testing::Contains;
using testing::HasSubstr;

TEST(OneOffCommands, FitANarrowTerminal) {
    setenv("COLUMNS", "40", 1);
    const auto gemm = run_app({"gemm", "8192", "8192", "8192", "--device", "h100_sxm"});
    const auto collective = run_app({"collective", "all_reduce", "--bytes", "64MiB", "--ranks", "64",
                                     "--system", "h100_ndr400", "--candidates"});
    unsetenv("COLUMNS");
    for (const auto& outcome : {gemm, collective}) {
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        std::istringstream lines{outcome.out};
        for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 40U) << line;
    }
}

TEST(Gemm, IsNoFasterThanTheDevice) {
    const auto outcome = run_app({"gemm", "8192", "8192", "8192", "--device", "h100_sxm", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["flop"].get<double>(), 2.0 * 8192.0 * 8192.0 * 8192.0);
    ASSERT_GE(json["rows"].size(), 1U);
    for (const auto& row : json["rows"]) {
        if (row["model"] == "systolic") continue;  // a GPU has no such array
        const double rate = json["flop"].get<double>() / row["time"].get<double>();
        EXPECT_LT(rate, 989e12) << row["model"];        // datasheet, dense bf16
        EXPECT_GT(rate, 0.5 * 989e12) << row["model"];  // and large products come close
    }
}

TEST(Gemm, CountsCyclesWhereThereIsAnArray) {
    const auto rows = run_app({"gemm", "256", "256", "256", "--device", "tpu_v4", "--json"}).json()["rows"];
    EXPECT_EQ(rows[1]["model"], "systolic");
    // 4 folds of 128 + 128 + 256 - 2 cycles on 128 x 128, sums in place.
    EXPECT_EQ(rows[1]["cycles"].get<double>(), 4 * 510.0 - 1.0);
    EXPECT_GT(rows[1]["time"].get<double>(), 1e-6);
    const auto gpu = run_app({"gemm", "64", "64", "64", "--device", "h100_sxm", "--json"}).json()["rows"];
    EXPECT_TRUE(gpu[1]["time"].is_null());
    EXPECT_THAT(gpu[1]["reason"].get<std::string>(), HasSubstr("no systolic array"));
    EXPECT_FALSE(gpu[1].contains("cycles"));
}

TEST(Gemm, SaysWhyAPrecisionHasNoAnswer) {
    // An A100 has no fp8 units.
    const auto outcome =
        run_app({"gemm", "64", "64", "64", "--device", "a100_80_sxm", "--precision", "fp8", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.json()["rows"][0]["time"].is_null());
    EXPECT_THAT(outcome.json()["rows"][0]["reason"].get<std::string>(), HasSubstr("fp8"));
}

double time_of(const std::vector<std::string>& arguments) {
    return run_app(arguments).json()["rows"][0]["time"].get<double>();
}

TEST(Collective, CrossingDomainsCosts) {
    const auto over = [](const char* ranks) {
        return time_of({"collective", "all-reduce", "--bytes", "64 MiB", "--ranks", ranks, "--system",
                        "h100_ndr400", "--json"});
    };
    EXPECT_EQ(over("1"), 0.0);
    EXPECT_GT(over("8"), 0.0);
    EXPECT_GT(over("16"), over("8"));
}

/// A cluster with a schedule of four members beside it.
TEST(Collective, ListsSchedulesFromTraceFiles) {
    const TemporaryFolder folder;
    write_schedule(folder, "ring4", dse::test::ring_bytes(4, 4 << 20, 0));
    const std::string machine = folder.write("machine.yaml",
                                             "base: h100_ndr400\nnetwork: {collective: {schedules: "
                                             "[{collective: all_reduce, prefix: ring4, size: 4 "
                                             "MiB}]}}\n");
    const auto rows = [&](const char* kind, const char* ranks) {
        const auto outcome = run_app(
            {"collective", kind, "--bytes", "4 MiB", "--ranks", ranks, "--system", machine, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::map<std::string, nlohmann::json> found;
        const auto json = outcome.json();
        for (const auto& row : json["rows"]) {
            if (row["algorithm"].get<std::string>().starts_with("schedule ")) found[row["model"]] = row;
        }
        return found;
    };
    const auto four = rows("all-reduce", "4");
    EXPECT_EQ(four.size(), netsim::network_models().rows().size()) << "under each model";
    for (const auto& [model, row] : four) EXPECT_GT(row["time"].get<double>(), 0.0) << model;
    // Of latency and bandwidth alone, a ring from files is a ring of the library.
    EXPECT_NEAR(four.at("flow")["time"].get<double>(), four.at("latency_bandwidth")["time"].get<double>(),
                1e-9);
    for (const auto& [model, row] : rows("all-reduce", "8"))
        EXPECT_EQ(row["reason"], "it is for 4 members, but the group has 8") << model;
    EXPECT_TRUE(rows("all-gather", "4").empty());
}

TEST(Collective, AStrideOfANodeLeavesIt) {
    const auto with_stride = [](const char* stride) {
        return time_of({"collective", "all_gather", "--bytes", "64 MiB", "--ranks", "8", "--stride", stride,
                        "--system", "h100_ndr400", "--json"});
    };
    EXPECT_GT(with_stride("8"), with_stride("1"));
}

TEST(Collective, ShowsEveryAlgorithmOfModelsThatHaveAny) {
    const auto outcome = run_app({"collective", "all_gather", "--bytes", "64 MiB", "--ranks", "8", "--system",
                                  "h100_ndr400", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, std::map<std::string, double>> times;
    const auto rows = outcome.json()["rows"];
    for (const auto& row : rows) {
        // A tree gathers nothing: its reason says so. ASTRA-sim plays it all the same.
        EXPECT_EQ(row.contains("reason"),
                  row["algorithm"] == "double_binary_tree" && row["model"] != "astra_sim");
        if (!row["time"].is_null()) times[row["model"]][row["algorithm"]] = row["time"];
    }
    EXPECT_EQ(times["latency_bandwidth"].size(), 1U);
    for (const char* model : {"multi_dim", "astra_sim"}) {
        EXPECT_EQ(times[model].size(), std::string{model} == "astra_sim" ? 5U : 4U) << model;
        // On a switch of eight: halving and doubling.
        EXPECT_EQ(times[model]["as described"], times[model]["halving_doubling"]) << model;
        EXPECT_LT(times[model]["halving_doubling"], times[model]["ring"]) << model;
    }
}

TEST(Collective, ShowsWhatALibraryChoosesFrom) {
    const auto rows_of = [](std::vector<std::string> arguments) {
        const auto json = run_app(arguments).json();
        std::vector<nlohmann::json> rows;
        for (const auto& row : json["rows"]) {
            if (row["model"] == "nccl") rows.push_back(row);
        }
        return rows;
    };
    std::vector<std::string> arguments{"collective", "all_reduce", "--bytes",     "16 MiB", "--ranks",
                                       "8",          "--system",   "h100_ndr400", "--json"};
    const auto chosen = rows_of(arguments);
    ASSERT_EQ(chosen.size(), 1U);
    EXPECT_EQ(chosen[0]["algorithm"], "NVLS Simple");
    const double time = chosen[0]["time"];
    EXPECT_DOUBLE_EQ(chosen[0]["algorithm_bandwidth"].get<double>(), 16777216.0 / time);
    EXPECT_DOUBLE_EQ(chosen[0]["bus_bandwidth"].get<double>(), 1.75 * 16777216.0 / time);
    // Ring and tree, LL, LL128 and Simple, beside it: what it expects to be soonest comes first.
    arguments.emplace_back("--candidates");
    const auto all = rows_of(arguments);
    ASSERT_EQ(all.size(), 7U);
    EXPECT_EQ(all[0], chosen[0]);
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_LE(all[i - 1]["expected"].get<double>(), all[i]["expected"].get<double>());
    }
}

/// A point that fits its devices, under both engines; their answers must be the same. \returns its time, s
double time_of_both_engines(const std::string& fidelity) {
    const auto outcome =
        run_app({"compare", test::smoke_sweep(), "--set", "tp=4", "--set", "pp=2", "--set", "zero=1", "--set",
                 "recompute=full", "--set", "schedule=1f1b", "--set", "devices=8", "--fidelity",
                 "engine=folded," + fidelity, "--fidelity", "engine=event," + fidelity, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = outcome.json()["rows"];
    EXPECT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["fidelity"]["engine"], "folded");
    EXPECT_EQ(rows[1]["fidelity"]["engine"], "event");
    EXPECT_EQ(rows[0]["metrics"], rows[1]["metrics"]);
    EXPECT_EQ(rows[0]["parts"], rows[1]["parts"]);
    return rows[0]["metrics"]["iteration_time"].get<double>();
}

/// A decoder without experts has no such collectives under any predictor: named once, not a row of zeros.
TEST(Compare, NamesOnceWhatIsZeroEverywhere) {
    const auto outcome = run_app({"compare", test::smoke_sweep(), "--set", "tp=4", "--fidelity",
                                  "engine=folded", "--fidelity", "engine=event"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::size_t folded = outcome.out.find("  zero under all of them: ");
    ASSERT_NE(folded, std::string::npos) << outcome.out;
    const std::size_t experts = outcome.out.find("exposed_ep");
    EXPECT_GT(experts, folded);
    EXPECT_EQ(outcome.out.find("exposed_ep", experts + 1), std::string::npos);
    EXPECT_LT(outcome.out.find("exposed_tp"), folded) << "what is not zero keeps its row";
}

TEST(Compare, EnginesAgreeToTheBit) {
    EXPECT_GT(time_of_both_engines("compute=roofline"), 0.0);
    EXPECT_GT(time_of_both_engines("network=nccl"), 0.0);
}

TEST(Compare, EnginesAgreeUnderANetworkWithAClockOfItsOwn) {
    // Whole nanoseconds.
    const double ticks = time_of_both_engines("network=astra_sim") * 1e9;
    EXPECT_GT(ticks, 1e6);
    EXPECT_NEAR(ticks, std::round(ticks), 1e-4);
}

/// Every value of an axis under every predictor: each as `compare` says of it alone.
TEST(Compare, PutsTheValuesOfAnAxisSideBySide) {
    // Layouts that fit whatever tp is: fewer than three answers have no rank correlation.
    const std::vector<std::string> all{"compare",    test::smoke_sweep(),
                                       "--over",     "tp",
                                       "--set",      "zero=3",
                                       "--set",      "recompute=full",
                                       "--fidelity", "compute=roofline",
                                       "--fidelity", "compute=table"};
    auto as_json = all;
    as_json.emplace_back("--json");
    const auto over = run_app(as_json);
    ASSERT_EQ(over.code, 0) << over.err;
    const auto rows = over.json()["rows"];
    std::set<std::string> values;
    for (const auto& row : rows) values.insert(row["tp"].get<std::string>());
    ASSERT_GE(values.size(), 2U);
    ASSERT_EQ(rows.size(), 2 * values.size());
    const std::string last = rows.back()["tp"].get<std::string>();
    const auto alone = run_app({"compare", test::smoke_sweep(), "--set", "tp=" + last, "--set", "zero=3",
                                "--set", "recompute=full", "--fidelity", "compute=table", "--json"});
    EXPECT_EQ(rows.back()["metrics"], alone.json()["rows"][0]["metrics"]);
    EXPECT_THAT(run_app(all).out, HasSubstr("rank correlation"));
}

// On eight MI300X joined by links, two nodes: ASTRA-sim knows no links inside a group of a machine of two
// dimensions.
TEST(Compare, SaysWhyAstraSimDiffersOnDirectLinks) {
    const auto out = [](const std::string& cluster) {
        return run_app({"compare", test::smoke_sweep(), "--set", "tp=4", "--set", "cluster=" + cluster,
                        "--set", "devices=16", "--fidelity", "network=astra_sim", "--fidelity",
                        "network=multi_dim"})
            .out;
    };
    EXPECT_THAT(out("mi300x_roce400"),
                HasSubstr("note: astra_sim runs each group of fewer than all 16 devices"));
    EXPECT_THAT(out("h100_ndr400"), testing::Not(HasSubstr("note:")));
}

TEST(Compare, NeedsSomethingToCompare) {
    EXPECT_THAT(run_app({"compare", test::smoke_sweep()}).err, HasSubstr("--over"));
    const auto unknown = run_app({"compare", test::smoke_sweep(), "--over", "tpp"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean 'tp'"));
}

TEST(Compare, RefusesAnUnknownPredictor) {
    const auto outcome = run_app({"compare", test::smoke_sweep(), "--fidelity", "engine=evnt"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("did you mean 'event'?"));
}

TEST(List, HasEveryFamily) {
    const auto rows = run_app({"list", "--json"}).json()["rows"];
    std::set<std::string> families;
    for (const auto& row : rows) families.insert(row["family"]);
    for (const char* family : {"devices", "clusters", "models", "templates", "programs", "samplers",
                               "compute", "network", "engines", "metrics", "operators", "fields"}) {
        EXPECT_THAT(families, Contains(family));
    }
    EXPECT_THAT(run_app({"list", "engines"}).out, HasSubstr("folded"));
    EXPECT_THAT(run_app({"list", "models"}).out, HasSubstr("llama3_70b"));
    EXPECT_THAT(run_app({"list", "programs"}).out,
                HasSubstr("8 devices: XLA HLO of one device, just after SPMD partitioning"));
}

TEST(Check, EveryFileOfTheLibraryIsInOrder) {
    const auto rows = run_app({"list", "--json"}).json()["rows"];
    const std::map<std::string, std::string> folders{
        {"devices", "hardware/devices"},      {"clusters", "hardware/clusters"},
        {"bases", "hardware/devices/bases"},  {"tables", "hardware/tables"},
        {"learned", "hardware/learned"},      {"models", "workloads/models"},
        {"templates", "workloads/templates"}, {"stacks", "workloads/stacks"}};
    const std::map<std::string, FileKind> kinds{{"devices", FileKind::device},
                                                {"clusters", FileKind::cluster},
                                                {"bases", FileKind::device},
                                                {"tables", FileKind::table},
                                                {"learned", FileKind::learned},
                                                {"models", FileKind::model},
                                                {"templates", FileKind::template_file},
                                                {"stacks", FileKind::stack}};
    std::size_t checked = 0;
    for (const auto& row : rows) {
        const auto folder = folders.find(row["family"].get<std::string>());
        if (folder == folders.end()) continue;
        const FileCheck check = check_file(std::string{DSE_SOURCE_DIR} + "/" + folder->second + "/" +
                                           row["name"].get<std::string>() + ".yaml");
        EXPECT_EQ(check.kind, kinds.at(folder->first)) << check.file;
        EXPECT_TRUE(check.ok()) << (check.errors.empty() ? "" : check.errors.front());
        ++checked;
    }
    EXPECT_GT(checked, 20U);
}

// A table of kernels names its rows; they are other columns than those of dse kernels.
TEST(Check, ReadsTheRowsOfATableOfKernels) {
    const FileCheck check = check_file(DSE_SOURCE_DIR "/hardware/tables/h100_sxm.csv");
    EXPECT_EQ(check.kind, FileKind::table);
    EXPECT_TRUE(check.ok()) << check.errors.front();
}

TEST(Check, ReadsWhatIsKnownOfMeasurements) {
    for (const auto& [file, kind] : {std::pair{"workloads/measured/sources.yaml", FileKind::sources},
                                     {"workloads/measured/serving.yaml", FileKind::serving_facts},
                                     {"workloads/measured/energy.yaml", FileKind::energy_facts},
                                     {"workloads/measured/errors.yaml", FileKind::error_bars},
                                     {"workloads/measured/serving_errors.yaml", FileKind::error_bars},
                                     {"workloads/measured/steps.csv", FileKind::measurements},
                                     {"workloads/measured/energy.csv", FileKind::measurements},
                                     {"hardware/energy/components.yaml", FileKind::components}}) {
        const FileCheck check = check_file(std::string{DSE_SOURCE_DIR} + "/" + file);
        EXPECT_EQ(check.kind, kind) << file;
        EXPECT_TRUE(check.ok()) << (check.errors.empty() ? "" : check.errors.front());
    }
}

TEST(Check, ReadsEveryShippedTableOfMeasurements) {
    std::map<FileKind, int> kinds;
    for (const auto& entry : std::filesystem::directory_iterator{DSE_SOURCE_DIR "/workloads/measured"}) {
        if (entry.path().extension() != ".csv") continue;
        const FileCheck check = check_file(entry.path().string());
        EXPECT_TRUE(check.ok()) << check.errors.front();
        ++kinds[check.kind];
    }
    EXPECT_EQ(kinds[FileKind::throughputs], 2);
    EXPECT_EQ(kinds[FileKind::row_errors], 3);
    EXPECT_EQ(kinds[FileKind::unknown_errors], 1);
    EXPECT_EQ(kinds[FileKind::unknown], 0);
}

TEST(Check, ReadsWhatOtherCommandsWrite) {
    for (const auto& [file, kind] : {std::pair{"hardware/learned/h100_sxm.trees", FileKind::learned},
                                     {"workloads/families/llm.model", FileKind::family}}) {
        const FileCheck check = check_file(std::string{DSE_SOURCE_DIR} + "/" + file);
        EXPECT_EQ(check.kind, kind) << file;
        EXPECT_TRUE(check.ok()) << (check.errors.empty() ? "" : check.errors.front());
    }
    EXPECT_FALSE(check_file(DSE_SOURCE_DIR "/README.md").ok());
}

TEST(Check, ReadsNoPipeTwice) {
    const TemporaryFolder folder;
    const std::string pipe = folder.path("pipe.yaml");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const FileCheck check = check_file(pipe);
    ASSERT_EQ(check.errors.size(), 1U);
    EXPECT_THAT(check.errors.front(), HasSubstr("is a pipe, which can be read only once"));
}

TEST(Check, SaysWhatOtherFilesAre) {
    const TemporaryFolder folder;
    const auto error_of = [](const std::string& file) {
        const FileCheck check = check_file(file);
        EXPECT_EQ(check.errors.size(), 1U) << file;
        return check.ok() ? "" : check.errors.front();
    };
    for (const char* schema : {"sweep", "model", "template", "cluster", "device", "stack"})
        EXPECT_THAT(error_of(fmt::format("{}/schemas/{}.json", DSE_SOURCE_DIR, schema)),
                    HasSubstr("error: is a JSON Schema (dse schema)"));
    EXPECT_THAT(error_of(folder.write("config.json", R"({"model_type": "llama", "hidden_size": 4096})")),
                HasSubstr("error: is a published configuration of a model: dse import converts it"));
    EXPECT_THAT(error_of(folder.write("x.h5", "")), HasSubstr("x.h5: error: is a results file"));
}

TEST(Check, ReadsAStackWithItsBases) {
    const TemporaryFolder folder;
    folder.write("workloads/stacks/own.yaml",
                 "name: own\nserving: {graph_batch: 8, graph_double_from: 16}\n");
    const auto outcome = [&](const std::string& text) {
        return run_app({"check", folder.write("workloads/stacks/heir.yaml", text)});
    };
    EXPECT_THAT(outcome("base: own\nname: heir\n").out, HasSubstr("heir.yaml: ok (stack)"));
    const auto wrong = outcome("base: own\nname: heir\nprecison: bf16\nserving: {host_tim: 1 ms}\n");
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.out, testing::AllOf(HasSubstr("heir.yaml:3:1: error: precison: unknown key"),
                                          HasSubstr("did you mean 'precision'?"), HasSubstr("heir.yaml:4:11"),
                                          HasSubstr("did you mean 'host_time'?")));
    EXPECT_THAT(outcome("base: ow\n").out, HasSubstr("heir.yaml:1:7: error: base: no file 'ow'"));
    EXPECT_THAT(
        outcome("base: own\nserving:\n").out,
        testing::AllOf(HasSubstr("heir.yaml:2:1: error: serving: has no value"), HasSubstr("own.yaml:2:10")));
    EXPECT_THAT(outcome("base: own\nserving: {graph_batch: 5}\n").out,
                HasSubstr("graph_double_from 16 is not a multiple of graph_batch 5"));
    EXPECT_THAT(outcome("base: own\noffload: both\nprefetch: 40\n").out, HasSubstr("prefetch is 40"));
    // Elsewhere, the base says what it is.
    EXPECT_THAT(run_app({"check", folder.write("heir.yaml", "base: vllm_2025\n")}).out,
                HasSubstr("ok (stack)"));
    EXPECT_THAT(run_app({"check", folder.write("heir.yaml", "name: x\nprecision: fp8\n")}).out,
                HasSubstr("ok (stack)"));
    EXPECT_THAT(
        run_app({"check", folder.write("heir.yaml", "base: h100_sxm\nattention: {efficiency: 0.5}\n")}).out,
        HasSubstr("ok (device)"));
    EXPECT_THAT(run_app({"check", folder.write("heir.yaml", "base: h100_sxm\n")}).out,
                HasSubstr("ok (device)"));
}

TEST(Check, NamesABaseThatIsNone) {
    const TemporaryFolder folder;
    EXPECT_THAT(run_app({"check", folder.write("heir.yaml", "base: b200_sxn\nname: x\n")}).out,
                HasSubstr("heir.yaml:1:7: error: names the base 'b200_sxn', which is no file (did you mean "
                          "'b200_sxm'?)"));
    EXPECT_THAT(run_app({"check", folder.write("heir.yaml", "base: ./none.yaml\nname: x\n")}).out,
                HasSubstr("names the base './none.yaml', which is no file here"));
}

TEST(Check, ReadsTablesOfMeasurements) {
    const TemporaryFolder folder;
    const auto outcome = [&](const std::string& text) {
        return run_app({"check", folder.write("t.csv", text)});
    };
    EXPECT_THAT(outcome("id,source,chip,metric,value\nA,s,c,m,1\n").out,
                HasSubstr("t.csv: ok (measurements)"));
    EXPECT_THAT(outcome("id,source,chip,metric,value\nA,s,c,m,nan\n").out,
                HasSubstr("row 1 (A): value is 'nan'"));
    EXPECT_THAT(outcome("id,source,chip,metric,value,tp\nA,s,c,m,1,x\n").out,
                testing::AllOf(HasSubstr("warning: row 1 (A) is not predicted: tp: 'x'"), HasSubstr("ok")));
    EXPECT_THAT(outcome("id,chip\nA,c\n").out, HasSubstr("has no column 'source'"));
    EXPECT_THAT(outcome("a,b\n1,2\n").out, HasSubstr("is not a table of measured steps (id, source"));
    EXPECT_THAT(outcome("id,group,left_out,fitted,also\nA,g,0.1,,\n").out, HasSubstr("ok (left-out errors)"));
    EXPECT_THAT(outcome("# \"mine\": yes\nid,source\n").out, HasSubstr("t.csv:1: begins with a comment (#)"));
}

TEST(Check, ReadsTracesOfRequests) {
    const TemporaryFolder folder;
    const auto out = [&](const std::string& name, const std::string& text) {
        return run_app({"check", folder.write(name, text)}).out;
    };
    EXPECT_THAT(out("a.csv", "arrival_s,input_tokens,output_tokens\n0,5,5\n"),
                HasSubstr("a.csv: ok (requests)"));
    EXPECT_THAT(out("a.csv", "time,prompt_tokens,completion_tokens\n0,5,5\n"),
                HasSubstr("a.csv:1: no column arrival_s or TIMESTAMP"));
    EXPECT_THAT(out("a.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n0,5,5\n\n1,0,4\n"),
                HasSubstr("a.csv:4: has no prompt tokens"));
    const std::string line = R"({"timestamp": 0, "input_length": 9, "output_length": 9})";
    EXPECT_THAT(out("a.jsonl", line + "\n"), HasSubstr("a.jsonl: ok (requests)"));
    EXPECT_THAT(out("a.jsonl", line + "\n{}\n"), HasSubstr("a.jsonl:2: has no number \"timestamp\""));
}

/// Other commands read trees when they need them, and so said nothing of these before a point ran.
TEST(Check, ReadsTheTreesOfALearnedFile) {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "mine.yaml", "name: x\nsource: y\nmultiprocessors: 4\ncache: 1 MB\ncycle: 1 ns\ntrees: mine.trees\n");
    folder.write("mine.trees", "kind gemm 22 0\ntree 0:1 5 7\n");
    EXPECT_THAT(run_app({"check", file}).out, HasSubstr("mine.yaml: ok (learned)"));
    folder.write("mine.trees", "kind gemm 22 0\ntree 0:1 5\n");
    EXPECT_THAT(run_app({"check", file}).out, HasSubstr("mine.trees:2:1: error: no whole tree"));
    folder.write("mine.trees", "kind gem 1 0\ntree 5\n");
    EXPECT_THAT(run_app({"check", file}).out,
                HasSubstr("'gem' is no kind of kernels (did you mean 'gemm'?)"));
}

TEST(Check, FindsEveryErrorOfEveryFile) {
    const TemporaryFolder folder;
    const std::string sweep = folder.write("a.yaml", tiny_sweep("axes: {tp: []}\nserach: 1\n"));
    const std::string device = folder.write("devices/b.yaml", "name: b\npeak: {bf16: 1 TB}\nmemroy: {}\n");
    const auto outcome = run_app({"check", sweep, device, test::smoke_sweep()});
    EXPECT_EQ(outcome.code, 1);
    for (const char* words :
         {"a.yaml:4", "a.yaml:5", "b.yaml:2", "did you mean 'memory'?", "smoke.yaml: ok (sweep)"}) {
        EXPECT_THAT(outcome.out, HasSubstr(words));
    }
}

TEST(Check, ASweepWithoutPointsIsAnError) {
    const TemporaryFolder folder;
    const auto outcome = run_app(
        {"check", folder.write("a.yaml", tiny_sweep("axes: {tp: [3]}\nrequire: [devices % tp == 0]\n"))});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("drop every point"));
}

TEST(Check, ReadsTablesOfForeignCosts) {
    const TemporaryFolder folder;
    const auto good = run_app({"check", folder.write("good.yaml", "attention: {flops: 2 * in0}\n")});
    EXPECT_EQ(good.code, 0);
    EXPECT_THAT(good.out, HasSubstr("good.yaml: ok (foreign costs)"));
    const auto bad =
        run_app({"check", folder.write("bad.yaml", "magic: {flops: 2 * inn0}\nmore: {flop: 1}\n")});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.out, testing::AllOf(HasSubstr("bad.yaml:1:"), HasSubstr("bad.yaml:2:")));
}

TEST(Check, SaysWhatItCannotCheck) {
    const TemporaryFolder folder;
    for (const std::string& file : {folder.write("other.yaml", "a: 1\n"), folder.write("empty.yaml", ""),
                                    folder.path("nowhere.yaml"), folder.path()}) {
        const auto outcome = run_app({"check", file, "--json"});
        EXPECT_EQ(outcome.code, 1) << file;
        EXPECT_EQ(outcome.json()["rows"][0]["ok"], false);
        EXPECT_EQ(outcome.json()["rows"][0]["errors"].size(), 1U) << outcome.out;
    }
}

}  // namespace
}  // namespace dse::app
