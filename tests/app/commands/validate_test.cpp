// Also tests: parity.cpp
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/json_output.hpp"
#include "app/run_app.hpp"
#include "dse/base/sanitizers.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using testing::HasSubstr;
using testing::Not;

/// Rows of the table that is shipped, with its header.
/// \param every  the first and each that comes so many rows later
/// \param most   rows
std::string shipped_rows(int every, int most) {
    std::ifstream all{std::string{DSE_SOURCE_DIR} + "/workloads/measured/steps.csv"};
    std::string line;
    std::getline(all, line);
    std::string rows = line + '\n';
    for (int row = 0; row < every * most && std::getline(all, line); ++row)
        if (row % every == 0) rows += line + '\n';
    return rows;
}

/// The first steps of the table that is shipped, of A100s.
class FewSteps : public testing::Test {
  protected:
    FewSteps() : file_{folder_.write("few.csv", shipped_rows(1, 10))} {}
    test::Outcome validate(std::vector<std::string> options) const {
        options.insert(options.begin(), {"validate", "--truth", file_});
        return run_app(options);
    }

  private:
    TemporaryFolder folder_;
    std::string file_;
};

/// Number of steps that models of these templates took, but for those set aside, and the mean absolute error
/// of their predictions.
std::pair<int, double> steps_of(const Json& json, const std::set<std::string>& templates) {
    int rows = 0;
    double sum = 0.0;
    for (const Json& row : json["rows"]) {
        if (row["metric"] != "iteration_time" || !templates.contains(row.value("template", "")) ||
            !row.value("set_aside", "").empty())
            continue;
        ++rows;
        sum += std::abs(row["error"].get<double>());
    }
    return {rows, sum / rows};
}

/// Mean absolute error of dense training steps that no constant was fitted to, on devices of these makers.
double unseen_error(const Json& json, const std::set<std::string>& makers) {
    double sum = 0.0;
    double weights = 0.0;
    for (const Json& row : json["rows"]) {
        const auto device = row.value("device", "");
        if (row["role"] != "validation" || row["metric"] != "iteration_time" || row["experts"].get<bool>() ||
            !makers.contains(device.substr(0, device.find(' '))))
            continue;
        sum += row["weight"].get<double>() * std::abs(row["error"].get<double>());
        weights += row["weight"].get<double>();
    }
    return sum / weights;
}

/// No pair is predicted the other way round but those that docs/accuracy.md lists with what is known of them.
void expect_order(const Json& all) {
    const std::set<std::pair<std::string, std::string>> known{
        {"MB61", "GT0252"},   {"MB72", "GT0252"},   {"MB84", "MB24"},     {"MB84", "MB33"},
        {"MB84", "MB45"},     {"NM0049", "MB24"},   {"NM0049", "MB33"},   {"NM0049", "MB45"},
        {"NM0049", "MB55"},   {"NM0049", "MB77"},   {"IB0002", "GA0009"}, {"BA0047", "BA0040"},
        {"BA0053", "BA0047"}, {"IE0046", "IE0034"}, {"IE0046", "IE0035"}, {"IE0046", "IE0037"},
        {"FL0024", "GA0001"}, {"FL0024", "GA0004"}, {"FL0024", "GA0009"}, {"AA0034", "AA0031"},
        {"AA0118", "AA0109"}, {"AA0136", "AA0118"}, {"AA0136", "AA0120"}, {"AA0156", "FL0035"},
        {"AA0172", "AA0153"}, {"AA0205", "AA0034"}, {"AA0208", "AA0041"}, {"AA0209", "AA0034"},
        {"AA0211", "AA0033"}, {"AA0348", "AA0120"}, {"AA0348", "AA0122"}, {"MP0022", "DX0092"},
        {"MP0023", "GT0381"}, {"MP0023", "MB64"},   {"MP0023", "MB84"},   {"MP0023", "NM0049"},
        {"MP0032", "AM0001"}, {"MP0032", "AM0002"}, {"MP0032", "AM0003"}, {"MP0032", "AM0007"},
        {"MP0035", "MP0032"}, {"N3015", "N3013"},   {"N3016", "N3005"},   {"N3016", "N3006"},
        {"N3016", "N3013"},   {"N3016", "N3014"},   {"N3024", "N3015"},   {"N3024", "N3016"},
        {"N3025", "N3015"},   {"N3025", "N3016"},   {"N3028", "N3015"},   {"N3035", "N3015"},
        {"N3035", "N3016"},   {"N3039", "N3015"},   {"N3039", "N3016"},   {"N3041", "N3015"},
        {"N3041", "N3026"},   {"N3049", "N3016"},   {"MC008", "N3015"},   {"MC008", "N3016"},
        {"AR004", "FT0031"},  {"AR004", "FT0051"},  {"AR004", "FT0052"},  {"AR005", "FT0011"},
        {"AR005", "FT0015"},  {"AR005", "FT0016"},  {"AR005", "FT0017"},  {"AR005", "FT0018"},
        {"AR005", "FT0019"},  {"AR005", "FT0020"},  {"AR005", "FT0023"},  {"AR013", "MP0032"},
        {"AR018", "FT0051"},  {"AR018", "FT0052"},  {"MM004", "GT0132"},  {"MM004", "GT0164"},
        {"MM004", "GT0196"},  {"MM004", "GT0230"},  {"MM004", "GT0258"},  {"MM004", "MM001"},
        {"MM020", "GT0246"},  {"MM020", "MM010"},   {"AS0011", "AA0153"}, {"AS0051", "PN0002"},
        {"AS0051", "FL0051"}, {"AS0051", "FL0052"}, {"AS0056", "FL0005"}, {"DL0016", "DL0014"},
        {"DL0021", "DL0011"}, {"DL0021", "DL0015"}, {"DL0029", "DL0015"}, {"DL0030", "DL0015"},
        {"DL0032", "DL0016"}, {"DL0036", "DL0017"}, {"DB0123", "DB0025"}, {"DB0127", "DB0020"},
        {"DB0127", "DB0021"}, {"DB0127", "DB0022"}, {"DB0127", "DB0023"}, {"DB0127", "DB0030"},
        {"DB0127", "DB0048"}, {"DB0127", "DB0049"}, {"TM008", "MB40"},    {"TM008", "MB59"},
        {"TM014", "TM009"},   {"TT0003", "AS0058"}, {"TT0007", "IB0015"}, {"TT0007", "AS0029"},
        {"TT0007", "AS0054"}, {"LA0001", "AA0008"}, {"LA0001", "AA0021"}, {"LA0002", "AA0012"},
        {"LA0003", "AA0173"}, {"LA0003", "AS0011"}, {"LA0004", "AA0156"}, {"LA0004", "AA0157"},
        {"LA0004", "AA0158"}, {"TB0005", "TB0002"}};
    for (const Json& pair : all["reversed"])
        EXPECT_TRUE(known.contains({pair[0].get<std::string>(), pair[1].get<std::string>()})) << pair;
    EXPECT_GE(all["pairs"], 29700);
    // What is predicted to differ surely does so: five in a thousand are the other way round, the more of
    // them by a little, Qwen3 in fp8 on TPU v7x, MM004 and Super in 26.06 on B300 by up to 26 %.
    EXPECT_GE(all["sure_pairs"], 29900);
    EXPECT_LE(all["sure_reversed"].size(), 120U);
    EXPECT_LE(all["largest_sure_reversed"], 0.27);
}

/// What docs/accuracy.md says of the errors, and no more.
void expect_errors(const Json& json, const std::map<std::string, Json>& families) {
    const auto& dense = families.at("dense models");
    const auto& experts = families.at("mixtures of experts");
    EXPECT_GE(dense["rows"], 1944);
    EXPECT_LE(dense["mean_absolute_error"], 0.059)
        << "with BERT in four frameworks, and fine-tuning, never used";
    EXPECT_LE(dense["median_absolute_error"], 0.044);
    EXPECT_LE(std::abs(dense["bias"].get<double>()), 0.016);
    EXPECT_GE(experts["rows"], 255);
    EXPECT_LE(experts["mean_absolute_error"], 0.063) << "with 28 of Megatron-Core's own recipes, never used";
    EXPECT_LE(experts["median_absolute_error"], 0.051);
    // Steps that no constant was fitted to.
    const auto& unseen_dense = families.at("dense models, validation");
    EXPECT_GE(unseen_dense["rows"], 1615);
    EXPECT_LE(unseen_dense["mean_absolute_error"], 0.063) << "with BERT in four frameworks, and fine-tuning";
    EXPECT_LE(unseen_dense["p90_absolute_error"], 0.129);
    EXPECT_LE(std::abs(unseen_dense["bias"].get<double>()), 0.0195) << "with seven sources of 2023 to 2026";
    EXPECT_LE(unseen_error(json, {"NVIDIA", "Google"}), 0.058) << "with V100s";
    EXPECT_LE(unseen_error(json, {"AMD", "AWS"}), 0.098) << "with BERT on Trainium, never used";
    EXPECT_LE(unseen_error(json, {"AMD", "AWS", "Intel"}), 0.096) << "with Aurora's small models";
    const auto& unseen_experts = families.at("mixtures of experts, validation");
    EXPECT_GE(unseen_experts["rows"], 153);
    EXPECT_LE(unseen_experts["mean_absolute_error"], 0.069);
    EXPECT_LE(unseen_experts["p90_absolute_error"], 0.148) << "with Nemotron 3 Super on B300";
    // Numbers that were fitted to rows of the family, counted in left_out.csv.
    EXPECT_LE(dense["constants"], 27) << "one of them by how much slices of TPUs differ";
    EXPECT_LE(experts["constants"], 11) << "one of them TPU v7x's in_training";
    EXPECT_EQ(unseen_dense["constants"], 0);
    // Some steps of gpt-oss 120B are predicted 13 % too short; the others are held without them.
    const auto [rows, error] = steps_of(json, {"mixtral", "qwen3_moe", "deepseek_v3"});
    EXPECT_GE(rows, 149);
    EXPECT_LE(error, 0.062);
    const auto& all = families.at("all");
    expect_order(all);
    const auto& memory = json["memory"];
    EXPECT_GE(memory["ran"], 3296);
    EXPECT_TRUE(memory["ran_refused"].empty()) << memory["ran_refused"];
    EXPECT_GE(memory["out_of_memory"], 455);
    EXPECT_LE(memory["out_of_memory_accepted"].size(), 36U) << "92.1 % are refused";
    EXPECT_LE(families.at("peaks")["mean_absolute_error"], 0.040) << "with DeepSpeed's, never used";
    EXPECT_LE(families.at("peaks by nvidia-smi")["mean_absolute_error"], 0.060);
}

/// Bars of 80 %, by family: of rows that had no say in them, tests/analysis/test_fit_errors.py.
void expect_bars(const std::map<std::string, Json>& families) {
    for (const char* name : {"dense models", "dense models, left out", "dense models, calibration",
                             "mixtures of experts", "mixtures of experts, left out"}) {
        EXPECT_GE(families.at(name)["inside"], 0.72) << name;
        EXPECT_LE(families.at(name)["inside"], 0.93) << name;
    }
    for (const char* name : {"peaks", "peaks by nvidia-smi"}) {
        EXPECT_GE(families.at(name)["inside"], 0.72) << name;
        EXPECT_LE(families.at(name)["width_over_median_error"], 2.5) << name;
    }
    EXPECT_GE(families.at("dense models, validation")["inside"], 0.72);
    EXPECT_LE(families.at("dense models, validation")["inside"], 0.88)
        << "steps that no constant was fitted to";
    EXPECT_GE(families.at("mixtures of experts, validation")["inside"], 0.72);
    EXPECT_LE(families.at("mixtures of experts, validation")["inside"], 0.88);
    for (const char* name :
         {"dense models", "dense models, left out", "dense models, validation", "mixtures of experts",
          "mixtures of experts, left out", "mixtures of experts, validation"})
        EXPECT_LE(families.at(name)["width_over_median_error"], 2.5) << name;
    EXPECT_GE(families.at("all")["inside"], 0.72);
    EXPECT_LE(families.at("all")["inside"], 0.92);
    for (const char* name : {"prefill, L4", "prefill, MI250 (1 GCD)"}) {
        EXPECT_GE(families.at(name)["inside"], 0.72) << name;
        EXPECT_LE(families.at(name)["median_width"], 0.3) << name << ": not those of deployments";
    }
}

void expect_roles(const Json& json) {
    const auto role = [&](const std::string& id) {
        for (const auto& row : json["rows"])
            if (row["id"] == id) return row["role"].get<std::string>();
        return std::string{};
    };
    EXPECT_EQ(role("GT0001"), "calibration") << "in_training of A100";
    EXPECT_EQ(role("SW0001"), "validation") << "a prompt";
}

/// With sanitizers this takes minutes; SomeShippedStepsArePredicted has the same code.
TEST(Validate, ShippedStepsKeepTheirErrorsAndBars) {
    if (sanitizes_addresses) GTEST_SKIP() << "the whole table takes too long";
    const auto outcome = run_app({"validate", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    std::map<std::string, Json> families;
    for (const auto& summary : json["summary"]) families[summary.value("name", "")] = summary;
    expect_errors(json, families);
    expect_bars(families);
    expect_roles(json);
}

/// Rows of all sources, for builds in which the whole table takes too long.
TEST(Validate, SomeShippedStepsArePredicted) {
    const TemporaryFolder folder;
    const auto outcome =
        run_app({"validate", "--json", "--truth", folder.write("some.csv", shipped_rows(16, 200))});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    std::size_t predicted = 0;
    for (const auto& row : json["rows"]) predicted += row["why"] == "" ? 1 : 0;
    EXPECT_GE(json["rows"].size(), 60U);
    EXPECT_GE(predicted, json["rows"].size() / 2);
}

TEST_F(FewSteps, ErrorsFollowFromPredictedAndMeasured) {
    const auto outcome = validate({"--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    ASSERT_GE(json["rows"].size(), 10U);
    double sum = 0.0;
    double compared = 0.0;
    for (const auto& row : json["rows"]) {
        if (row["metric"] == "ran" || row["metric"] == "out_of_memory") continue;
        if (row["error"].is_null()) {
            EXPECT_NE(row["why"], "") << row["id"];
            continue;
        }
        const double error = row["error"];
        EXPECT_NEAR(error, row["predicted"].get<double>() / row["measured"].get<double>() - 1.0, 1e-12);
        if (row["metric"] != "iteration_time") continue;
        sum += std::abs(error);
        compared += 1.0;
    }
    EXPECT_NEAR(json["summary"].back()["mean_absolute_error"].get<double>(), sum / compared, 1e-12);
}

TEST_F(FewSteps, AFigureNeedsANameOfAPictureAndAFolder) {
    const auto unknown = validate({"--figure", "parity.jpeg"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("figures end in .png, .pdf, .svg"));
    const auto nowhere = validate({"--figure", "no_such_folder/parity.png"});
    EXPECT_EQ(nowhere.code, 2);
    EXPECT_THAT(nowhere.err, HasSubstr("there is no folder 'no_such_folder'"));
}

TEST_F(FewSteps, BarsAndFamiliesStandInTheRows) {
    const auto json = validate({"--json"}).json();
    const auto& row = json["rows"][0];
    EXPECT_EQ(row["device"], "NVIDIA A100 SXM 80 GB");
    EXPECT_EQ(row["template"], "gpt_megatron");
    EXPECT_LT(row["low"].get<double>(), row["predicted"].get<double>());
    EXPECT_GT(row["high"].get<double>(), row["predicted"].get<double>());
    EXPECT_GT(json["summary"].back()["inside"].get<double>(), 0.5);
}

TEST_F(FewSteps, MissedBoundsAreANo) {
    EXPECT_EQ(validate({"--bound", "0.0001"}).code, 1);
}

TEST_F(FewSteps, PrintsSourcesAndRows) {
    const auto outcome = validate({"--rows"});
    EXPECT_THAT(outcome.out, HasSubstr("Of 10 runs, 0 do not fit as predicted."));
    EXPECT_THAT(outcome.out, HasSubstr("predicted"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("energy of servers"))) << "of the shipped table";
    EXPECT_THAT(outcome.out, HasSubstr("constant MFU"));
}

TEST(Validate, PrintsRefusalsAndServersOfTheShippedTables) {
    if (sanitizes_addresses) GTEST_SKIP() << "the whole table takes too long";
    const auto outcome = run_app({"validate"});
    EXPECT_THAT(outcome.out, HasSubstr("Of 455 runs that ran out of memory, 36 fit as predicted: "));
    EXPECT_THAT(outcome.out, HasSubstr("energy of servers"));
}

TEST_F(FewSteps, PredictsWithAnyNetwork) {
    const auto error_under = [&](const char* network) {
        const auto outcome = validate({"--network", network, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json()["summary"].back()["mean_absolute_error"].get<double>();
    };
    EXPECT_NE(error_under("latency_bandwidth"), error_under("nccl"));
    const auto unknown = validate({"--network", "ncl"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean 'nccl'?"));
}

TEST_F(FewSteps, PredictsWithAnyComputeModel) {
    const auto under = [&](const char* model) {
        return validate({"--compute", model, "--bound", "10", "--json"}).json();
    };
    EXPECT_NE(under("roofline")["summary"].back()["mean_absolute_error"],
              under("table")["summary"].back()["mean_absolute_error"]);
    const auto rows = under("systolic")["rows"];
    EXPECT_TRUE(rows[0]["predicted"].is_null());
    EXPECT_THAT(rows[0]["why"].get<std::string>(), HasSubstr("no systolic array")) << "of an A100";
    EXPECT_EQ(validate({"--compute", "rofline"}).code, 2);
}

TEST(Validate, RefusesATableThatIsNone) {
    const TemporaryFolder folder;
    for (const std::string& file : {folder.path("nowhere.csv"), folder.write("empty.csv", "")}) {
        EXPECT_EQ(run_app({"validate", "--truth", file}).code, 2) << file;
    }
}

}  // namespace
}  // namespace dse::app
