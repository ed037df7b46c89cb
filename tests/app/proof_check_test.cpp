// Also tests: commands/verify.cpp, carried_sweep.cpp
#include "app/proof_check.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using results::Proof;
using test::run_app;
using test::tiny_sweep;
using ::testing::HasSubstr;
using Verdict = Proof::Verdict;

const std::string tiny_space =
    "axes:\n  tp: [1, 2, 4, 8]\n  pp: [1, 2]\n  zero: [0, 3]\n  recompute: [none, full]\n"
    "  cluster.network.scale_up.bandwidth: [100 GB/s, 300 GB/s, 450 GB/s]\n"
    "  cluster.device.price: [2 USD/h, 3 USD/h]\n"
    "require: [devices % (tp * pp) == 0, cluster.device.price < 7e-4 or zero == 0]\n"
    "objectives: {iteration_time: minimize, memory_peak: minimize, cost: minimize}\n";

/// Of machines whose network is priced by what it buys.
const std::string priced_sweep =
    "name: priced\n"
    "workload: {model: llama3_8b, global_batch: 16, sequence: 2048}\n"
    "system:\n  devices: 16\n  cluster:\n    base: h100_ndr400\n    network:\n"
    "      prices: {scale_out_rate: 400 Gbps, nic: 0.12 USD/h, port: 0.04 USD/h, optics: 0.05 USD/h,\n"
    "               scale_up_rate: 450 GB/s, scale_up: 0.2 USD/h, scale_up_doubling: 0.1 USD/h}\n"
    "axes:\n  tp: [1, 2, 4, 8]\n  zero: [0, 3]\n"
    "  cluster.network.scale_up.domain: [8, 16]\n"
    "  cluster.network.scale_up.bandwidth: [200 GB/s, 300 GB/s, 450 GB/s]\n"
    "  cluster.network.scale_out.bandwidth: [200 Gbps, 400 Gbps, 800 Gbps]\n"
    "  cluster.network.scale_out.oversubscription: [1, 2, 4]\n"
    "objectives: {iteration_time: minimize, cost: minimize}\n";

class ProofCheck : public ::testing::Test {
  protected:
    void SetUp() override { dist::clear_stop_request(); }

    std::string run(const std::string& name, const std::string& rest) {
        return run_sweep(name, tiny_sweep(rest));
    }
    std::string run_sweep(const std::string& name, const std::string& text) {
        const std::string file = folder_.path(name + ".h5");
        const auto outcome = run_app({folder_.write(name + ".yaml", text), "-o", file});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return file;
    }
    std::string proven() { return run("proven", tiny_space + "search: {method: proven}\n"); }

    /// What verify says of a proof that was changed.
    test::Outcome verify_with(const std::string& file, const std::function<void(Proof&)>& plant) {
        Proof proof = results::read_proof(file).value();
        plant(proof);
        results::write_proof(file, proof);
        return run_app({"verify", file, "--json"});
    }

    static Proof::Part& first(Proof& proof, Verdict verdict) {
        const auto found = std::find_if(proof.parts.begin(), proof.parts.end(),
                                        [&](const Proof::Part& part) { return part.verdict == verdict; });
        EXPECT_NE(found, proof.parts.end());
        return *found;
    }

    TemporaryFolder folder_;
};

std::set<std::vector<double>> front_points(const std::string& file) {
    const results::Table table = results::read_results(file);
    results::FrontRows front{results::without_rows(table), table.schema.sweep.objectives};
    front.add(table);
    std::set<std::vector<double>> points;
    for (std::size_t row = 0; row < front.rows().rows(); ++row) {
        std::vector<double> values;
        for (const std::vector<double>& column : front.rows().points) values.push_back(column[row]);
        points.insert(values);
    }
    return points;
}

TEST_F(ProofCheck, TheFrontIsThatOfTheGridAndItsProofHolds) {
    const std::string file = proven();
    const std::string grid = run("grid", tiny_space);
    EXPECT_EQ(front_points(file), front_points(grid));
    EXPECT_LT(results::read_results(file).rows(), results::read_results(grid).rows());
    const auto outcome = run_app({"verify", file, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_TRUE(json["holds"]);
    double points = 0.0;
    for (const auto& [verdict, number] : json["points"].items()) points += number.get<double>();
    EXPECT_EQ(points, 4 * 2 * 2 * 2 * 3 * 2);
    EXPECT_GT(json["points"]["dominated"], 0.0);
    EXPECT_GT(json["event"], 0);
}

TEST_F(ProofCheck, NoSearchAsksTwiceForPointsThatAnIdleAxisTellsApart) {
    const std::string space =
        "axes:\n  tp: [1, 2, 4]\n  pp: [2]\n  schedule: [1f1b, interleaved]\n"
        "  virtual_stages: {when: schedule == 'interleaved', values: [2, 4]}\n"
        "objectives: {iteration_time: minimize, memory_peak: minimize}\n";
    const std::string grid = run("grid", space);
    // One of 1f1b and two of interleaved for each tp, of 12 points of the grid.
    ASSERT_EQ(results::read_results(grid).rows(), 9U);
    for (const std::string method : {"nsga2", "moead", "refine", "proven"}) {
        const std::string more = method == "proven" ? "" : ", budget: 100, population: 4";
        const std::string file = run(method, space + "search: {method: " + method + more + "}\n");
        const results::Table rows = results::read_results(file);
        std::set<std::vector<double>> points;
        for (std::size_t row = 0; row < rows.rows(); ++row)
            points.insert({rows.point_value("tp")[row], rows.point_value("schedule")[row],
                           rows.point_value("virtual_stages")[row]});
        EXPECT_EQ(points.size(), rows.rows()) << method;
        EXPECT_GE(rows.rows(), method == "nsga2" || method == "moead" ? 9U : 1U) << method;
        EXPECT_EQ(front_points(file), front_points(grid)) << method;
    }
    EXPECT_EQ(run_app({"verify", folder_.path("proven.h5"), "--json"}).code, 0);
}

TEST_F(ProofCheck, TheProofOutlivesPartsAndMerge) {
    const std::string file = proven();
    ASSERT_EQ(run_app({"parts", file, "--all"}).code, 0);
    const std::string merged = folder_.path("merged.h5");
    ASSERT_EQ(run_app({"merge", file, "-o", merged}).code, 0);
    const auto outcome = run_app({"verify", merged, "--progress", "line", "--points", "0", "--events", "0"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("The proof holds"));
}

TEST_F(ProofCheck, TestsASampleOfBoxes) {
    const std::string file = proven();
    const auto json = run_app({"verify", file, "--json", "--boxes", "2"}).json();
    EXPECT_TRUE(json["holds"]);
    EXPECT_EQ(json["boxes"], 2);
    EXPECT_EQ(json["of_boxes"], results::read_proof(file).value().parts.size());
    EXPECT_GT(json["of_boxes"], 2);
    EXPECT_THAT(run_app({"verify", file, "--boxes", "2"}).out, testing::HasSubstr("No fault in the sample"));
}

TEST_F(ProofCheck, CatchesABoundThatIsTooHigh) {
    const auto outcome = verify_with(proven(), [](Proof& proof) {
        Proof::Part& part = first(proof, Verdict::dominated);
        part.bounds[0] *= 1.01;
    });
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.json()["wrong"], 1);
    EXPECT_THAT(outcome.out, HasSubstr("its bound of iteration_time"));
}

TEST_F(ProofCheck, CatchesABoundOfMoneyThatIsTooHighWhereNetworksArePriced) {
    const std::string file = run_sweep("priced", priced_sweep + "search: {method: proven}\n");
    EXPECT_EQ(front_points(file), front_points(run_sweep("walk", priced_sweep)));
    ASSERT_EQ(run_app({"verify", file, "--events", "0"}).code, 0);
    const auto outcome = verify_with(file, [](Proof& proof) {
        const auto found = std::find_if(proof.parts.begin(), proof.parts.end(), [](const Proof::Part& part) {
            return part.verdict == Verdict::dominated && part.box.count() > 1;
        });
        ASSERT_NE(found, proof.parts.end());
        found->bounds[1] *= 1.01;
    });
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.json()["wrong"], 1);
    EXPECT_THAT(outcome.out, HasSubstr("its bound of cost"));
}

TEST_F(ProofCheck, CatchesAWitnessThatDoesNotDominate) {
    const auto outcome =
        verify_with(proven(), [](Proof& proof) { first(proof, Verdict::dominated).bounds[2] /= 10.0; });
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("does not dominate it in cost"));
}

TEST_F(ProofCheck, CatchesFalseVerdicts) {
    const std::string file = proven();
    const Proof good = results::read_proof(file).value();
    for (const Verdict verdict : {Verdict::outside, Verdict::infeasible}) {
        const auto outcome =
            verify_with(file, [&](Proof& proof) { first(proof, Verdict::evaluated).verdict = verdict; });
        EXPECT_EQ(outcome.code, 1) << outcome.out;
        results::write_proof(file, good);
    }
    const auto outcome = verify_with(file, [&](Proof& proof) { first(proof, Verdict::evaluated).row += 1; });
    EXPECT_THAT(outcome.out, ::testing::AnyOf(HasSubstr("is another point"), HasSubstr("has no row")));
}

TEST_F(ProofCheck, CatchesAGap) {
    const auto outcome = verify_with(proven(), [](Proof& proof) { proof.parts.pop_back(); });
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("the grid 192"));
}

TEST_F(ProofCheck, NeedsAProof) {
    const auto outcome = run_app({"verify", run("grid", tiny_space)});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("contains no proof"));
}

}  // namespace
}  // namespace dse::app
