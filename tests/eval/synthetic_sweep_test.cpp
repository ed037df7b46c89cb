// Sweeps of workloads that are drawn: frontend/synthetic_frontend.cpp, eval/check_workloads.cpp,
// study/complete.cpp.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/output_file.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/synth/family.hpp"
#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using test::SweepFiles;
using testing::AllOf;
using testing::HasSubstr;

/// A product and the sum of its results, of sizes that differ from job to job.
synth::Corpus family_of_steps() {
    synth::Corpus corpus;
    const std::uint16_t gemm = corpus.labels.add({synth::Kind::compute, synth::Role::none, "gemm"});
    const std::uint16_t reduce = corpus.labels.add({synth::Kind::collective, synth::Role::all, "all_reduce"});
    for (int i = 1; i <= 8; ++i) {
        const double size = 1e9 * i;
        std::vector<synth::Node> nodes{{gemm, {100 * size, size, 0}, {}}, {reduce, {0, 0, size}, {0}}};
        corpus.graphs.push_back(synth::layered({8, 1, 1, 0, 0}, std::move(nodes), {1, 1}));
        corpus.names.emplace_back("step");
    }
    return corpus;
}

class SyntheticSweep : public testing::Test {
  protected:
    SyntheticSweep() {
        file_ = files_.folder().path("steps.model");
        write_family(fit_family(family_of_steps(), "markov", "steps", "none"), file_, Existing::refuse);
    }
    [[nodiscard]] std::string yaml(const std::string& workload, const std::string& rest) const {
        return "name: t\nworkload: {" + workload + "}\nsystem: {cluster: h100_ndr400, devices: 16}\n" + rest;
    }
    SweepFiles files_;
    std::string file_;
};

TEST_F(SyntheticSweep, EverySeedIsAJobAndPlayedOnEveryMachine) {
    const study::Sweep sweep =
        files_.load(yaml("synthetic: steps.model", "axes: {seed: {from: 0, to: 15}, devices: [8, 16]}\n"));
    Evaluator evaluator{sweep, sim::Asked::For::parts};
    std::set<double> times;
    for (const space::Point& point : test::points_of(sweep)) {
        space::Record record;
        evaluator.evaluate(point, record);
        ASSERT_EQ(record.status, space::Status::ok) << record.reason;
        EXPECT_GT(record.metrics.exposed_dp, 0.0);
        EXPECT_GT(record.metrics.model_flop, 0.0);
        times.insert(record.metrics.iteration_time);
    }
    EXPECT_GE(times.size(), 8U) << "each of eight sizes on both machines, or nearly";
}

TEST_F(SyntheticSweep, WrongFilesAndLayoutsAreSaidWhereTheyStand) {
    const std::string axes = "axes: {seed: [1, 2]}\n";
    EXPECT_THAT(
        files_.errors(yaml("synthetic: stebs.model", axes)),
        AllOf(HasSubstr("t.yaml:2:"), HasSubstr("workload.synthetic: there is no file 'stebs.model'")));
    files_.folder().write("wrong.model", "hello\n");
    EXPECT_THAT(files_.errors(yaml("synthetic: wrong.model", axes)),
                HasSubstr("wrong.model': not a family of synthetic workloads"));
    EXPECT_THAT(files_.errors(yaml("synthetic: steps.model, tp: 2", axes)),
                HasSubstr("workload.tp: has no effect on a compiler's program or a sample"));
    EXPECT_THAT(files_.errors(yaml("synthetic: steps.model, ir: step.hlo", axes)),
                HasSubstr("workload.synthetic: cannot be combined with a model or a program"));
    EXPECT_THAT(files_.errors(yaml("synthetic: steps.model, seed: -1", "axes: {devices: [8]}\n")),
                HasSubstr("workload.seed"));
}

}  // namespace
}  // namespace dse::eval
