// Also tests: commands/best.cpp, commands/diff.cpp, commands/pareto.cpp, commands/report.cpp
// Also tests: questions/row_question.cpp, questions/row_mask.cpp, questions/masked_rows.cpp
// Also tests: questions/robust_rows.cpp, questions/asked_rows.cpp
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/questions/row_mask.hpp"
#include "app/run_app.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using test::tiny_sweep;
using testing::HasSubstr;

/// Results of a sweep of twelve points.
class Questions : public testing::Test {
  protected:
    void SetUp() override {
        sweep_ = folder_.write("tiny.yaml", tiny_sweep("axes:\n  tp: [1, 2, 4, 8]\n  zero: [0, 1, 3]\n"));
        ASSERT_EQ(run_app({sweep_, "-o", file_}).code, 0);
    }
    TemporaryFolder folder_;
    std::string sweep_;
    std::string file_ = folder_.path("out.h5");
};

TEST_F(Questions, AFrontForEachValue) {
    const auto json = run_app({"pareto", file_, "--by", "zero", "--json"}).json();
    EXPECT_EQ(json["by"], "zero");
    std::vector<int> values;
    for (const auto& row : json["rows"]) values.push_back(row["point"]["zero"].get<int>());
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    EXPECT_GE(json["front_size"].get<int>(), 2);
    EXPECT_THAT(run_app({"pareto", file_, "--by", "zero"}).out, HasSubstr("zero=3: "));
    EXPECT_EQ(run_app({"pareto", file_, "--by", "zeroo"}).code, 2);
}

TEST_F(Questions, AFrontForEachCombinationOfValues) {
    const auto json = run_app({"pareto", file_, "--by", "tp,zero", "--json"}).json();
    EXPECT_EQ(json["by"], "tp,zero");
    const results::Table table = results::read_results(file_);
    EXPECT_EQ(json["front_size"], std::count(table.status.begin(), table.status.end(), space::Status::ok))
        << "every point is alone with its values";
    const auto outcome = run_app({"pareto", file_, "--by", "tp,zero", "--mark", "tp=8,zero=3"});
    EXPECT_THAT(outcome.out, HasSubstr("tp=2 zero=3: 1 on its front"));
    EXPECT_THAT(outcome.out, HasSubstr("among the rows with tp=8 zero=3"));
    EXPECT_THAT(run_app({"best", file_, "--by", "zero,tp", "--top", "1"}).out, HasSubstr("  zero=1 tp=4  "));
    EXPECT_THAT(run_app({"best", file_, "--by", "tp,tp"}).err, HasSubstr("tp twice"));
}

TEST_F(Questions, AMarkedPointHasItsPlace) {
    const auto outcome = run_app({"pareto", file_, "--mark", "tp=8,zero=0", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto mark = outcome.json()["mark"];
    const results::Table table = results::read_results(file_);
    const auto tp = table.point_value("tp");
    const auto zero = table.point_value("zero");
    const auto time = table.metric("iteration_time");
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (tp[row] != 8 || zero[row] != 0) continue;
        std::size_t quicker = 0;
        for (const double other : time) quicker += other < time[row] ? 1 : 0;
        EXPECT_EQ(mark["row"]["point_id"], table.point_id[row]);
        EXPECT_EQ(mark["rank"]["iteration_time"]["rank"], quicker + 1);
    }
    EXPECT_THAT(run_app({"pareto", file_, "--mark", "tp=8,zero=0"}).out, HasSubstr("marked: tp=8,zero=0"));
    EXPECT_THAT(run_app({"pareto", file_, "--mark", "tp=3"}).err, HasSubstr("tp is 1, 2, 4, 8"));
    EXPECT_THAT(run_app({"pareto", file_, "--mark", "tp=8,zero=0", "--where", "tp < 8"}).out,
                HasSubstr("not ranked"));
    EXPECT_THAT(run_app({"pareto", file_, "--mark", "tp=8"}).out, HasSubstr("(the best of "));
}

TEST_F(Questions, AMarkedPointIsComparedWithItsOwnGroup) {
    const auto rows_of = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"pareto", file_, "--mark", "tp=8,zero=0", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_app(arguments).json()["mark"]["rank"]["iteration_time"]["of"].get<int>();
    };
    EXPECT_EQ(rows_of({"--by", "tp"}), rows_of({"--where", "tp == 8"}));
    EXPECT_LT(rows_of({"--by", "tp"}), rows_of({}));
    EXPECT_THAT(run_app({"pareto", file_, "--mark", "tp=8,zero=0", "--by", "tp"}).out,
                HasSubstr("marked: tp=8,zero=0, among the rows with tp=8"));
}

TEST_F(Questions, AMetricWithoutADirectionHasTheUsualOne) {
    const auto best_mfu = [&](const std::string& objectives) {
        return run_app({"best", file_, "--top", "1", "--objectives", objectives, "--json"})
            .json()["rows"][0]["metrics"]["mfu"]
            .get<double>();
    };
    EXPECT_EQ(best_mfu("mfu"), best_mfu("mfu:maximize"));
    EXPECT_LT(best_mfu("mfu:minimize"), best_mfu("mfu"));
}

TEST_F(Questions, AFrontIsCertainWhereItsObjectiveIsExact) {
    const auto front = run_app({"pareto", file_, "--objectives", "memory_parameters", "--robust", "--json"});
    ASSERT_EQ(front.code, 0) << front.err;
    EXPECT_GE(front.json()["front_size"].get<int>(), 1);
    EXPECT_THAT(front.err, HasSubstr("nothing is known of the errors of 'memory_parameters' here"));
    const auto of_time = run_app({"pareto", file_, "--objectives", "iteration_time", "--robust", "--json"});
    EXPECT_THAT(of_time.err, ::testing::Not(HasSubstr("nothing is known")));
}

TEST_F(Questions, OtherMistakesAreAnswered) {
    EXPECT_THAT(run_app({"best", file_, "--by", "mfu"}).err, HasSubstr("--objectives mfu"));
    EXPECT_THAT(run_app({"best", file_, "--where", "tp == 16"}).err, HasSubstr("--where tp == 16"));
}

TEST_F(Questions, OtherMetricsAreShown) {
    const auto outcome = run_app({"pareto", file_, "--metrics", "tokens_per_second"});
    EXPECT_THAT(outcome.out, HasSubstr("tokens_per_second"));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("mfu")));
    EXPECT_EQ(run_app({"pareto", file_, "--metrics", "tokens"}).code, 2);
}

TEST_F(Questions, BestPointsComeInOrder) {
    const auto json = run_app({"best", file_, "--top", "3", "--objectives", "mfu:maximize", "--json"}).json();
    ASSERT_EQ(json["rows"].size(), 3U);
    EXPECT_EQ(json["objective"], "mfu: maximize");
    const results::Table table = results::read_results(file_);
    std::vector<double> mfu{table.metric("mfu").begin(), table.metric("mfu").end()};
    std::erase_if(mfu, [](double value) { return !(value == value); });
    std::sort(mfu.rbegin(), mfu.rend());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(json["rows"][i]["metrics"]["mfu"].get<double>(), mfu[i]);
    EXPECT_EQ(run_app({"best", file_, "--where", "tp == 2 and zero == 3", "--json"}).json()["rows"].size(),
              1U);
    EXPECT_EQ(run_app({"best", file_, "--where", "tp == 3"}).code, 1);
    EXPECT_THAT(run_app({"best", file_, "--by", "tp", "--top", "1"}).out, HasSubstr("  tp=4  "));
    EXPECT_EQ(test::csv_rows(run_app({"best", file_, "--csv", "--top", "2"}).out).size(), 3U);
}

/// Those whose ratio to the best is within the error of a ratio, as `pareto --robust` has them.
TEST_F(Questions, OthersAreNotSurelyWorseThanTheBest) {
    const auto robust =
        run_app({"pareto", file_, "--objectives", "iteration_time", "--robust", "--json"}).json();
    const std::size_t others = robust["rows"].size() - 1;
    ASSERT_GT(others, 0U);
    EXPECT_EQ(run_app({"best", file_, "--json"}).json()["not_surely_worse"], others);
    EXPECT_THAT(run_app({"best", file_, "--top", "1"}).out, HasSubstr("not surely worse than the first"));
    const auto few = run_app({"best", file_, "--where", "tp == 1 and zero == 3", "--json"}).json();
    EXPECT_EQ(few["not_surely_worse"], 0) << "one alone";
    EXPECT_FALSE(run_app({"best", file_, "--by", "tp", "--json"}).json().contains("not_surely_worse"));
    const auto without_bars = run_app({"best", file_, "--objectives", "bubble", "--json"});
    ASSERT_EQ(without_bars.code, 0) << without_bars.err;
    EXPECT_FALSE(without_bars.json().contains("not_surely_worse")) << "no error of it is known";
}

TEST_F(Questions, DiffOfAFileAndItselfIsNone) {
    const auto outcome = run_app({"diff", file_, file_, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_TRUE(outcome.json()["equal"].get<bool>());
    EXPECT_EQ(outcome.json()["equal_rows"], 12);
}

TEST_F(Questions, DiffNamesWhatDiffers) {
    const std::string other = folder_.path("other.h5");
    ASSERT_EQ(run_app({sweep_, "-o", other, "--set", "sequence=1024", "--set", "tp=2"}).code, 0);
    const auto outcome = run_app({"diff", file_, other, "--json"});
    ASSERT_EQ(outcome.code, 1) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["in_both"], 3);
    EXPECT_EQ(json["only_a"], 9);
    EXPECT_EQ(json["equal_rows"], 0);
    EXPECT_THAT(json["sweep"].dump(), HasSubstr("sequence"));
    EXPECT_EQ(json["rows"][0]["rows"], 3);
    const std::string text = run_app({"diff", file_, other}).out;
    EXPECT_THAT(text, HasSubstr("iteration_time"));
    EXPECT_THAT(text, HasSubstr("only on the front of A"));
    const std::string one = folder_.path("one.h5");
    ASSERT_EQ(run_app({sweep_, "-o", one, "--set", "tp=2", "--set", "zero=3"}).code, 0);
    EXPECT_THAT(run_app({"diff", one, other}).out, HasSubstr("fronts: 1 point in A, "));
    EXPECT_EQ(run_app({"diff", file_, sweep_}).code, 2);
}

TEST_F(Questions, AMaskHoldsRowsWithoutAnAnswerAgainstAxesAlone) {
    const results::Table table = results::read_results(file_);
    results::ResultsReader reader{file_, results::ResultsReader::Extent::finished};
    const std::string mask = row_mask(reader, {"tp <= 2", "iteration_time > 0"});
    ASSERT_EQ(mask.size(), table.rows());
    bool infeasible = false;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        EXPECT_EQ(mask[row] == '1', table.point_value("tp")[row] <= 2) << row;
        infeasible = infeasible || (table.status[row] != space::Status::ok && mask[row] == '1');
    }
    EXPECT_TRUE(infeasible) << "some of tp 1 are out of memory";
}

TEST_F(Questions, ReportRefusesWhatTheRowsDoNotHave) {
    const std::string page = folder_.path("a.html");
    EXPECT_EQ(run_app({"report", file_, "-o", page, "--where", "tpp < 3"}).code, 2);
    EXPECT_EQ(run_app({"report", file_, "-o", page, "--mark", "tp=3"}).code, 2);
    EXPECT_EQ(run_app({"report", file_, "-o", page, "--by", "tpp"}).code, 2);
    EXPECT_EQ(run_app({"report", file_, "-o", page, "--metrics", "tokens"}).code, 2);
}

TEST_F(Questions, SummariesSayWhyRowsHaveNoAnswer) {
    const std::string sweep = folder_.write(
        "odd.yaml",
        tiny_sweep("axes:\n  tp: [1, 8]\n  schedule: [1f1b, interleaved]\nfidelity: {compute: table}\n"));
    const auto outcome = run_app({sweep, "-o", folder_.path("odd.h5")});
    const auto json = run_app({sweep, "-o", folder_.path("odd.h5"), "--json"}).json();
    ASSERT_GT(json["status"]["outside_validity"], 0) << "interleaved without a pipeline";
    EXPECT_THAT(outcome.out, HasSubstr("Why outside_validity:"));
    EXPECT_FALSE(json["reasons"].empty());
}

}  // namespace
}  // namespace dse::app
