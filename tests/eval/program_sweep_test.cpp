// Sweeps of compilers' programs: eval/sweep.cpp, eval/simulator.cpp and eval/evaluator.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using test::SweepFiles;
using testing::HasSubstr;

// Two devices; two sharded layers: each gathers its weights, then multiplies.
constexpr const char* program = R"(HloModule step, num_partitions=2
ENTRY main {
  x = bf16[512,4096] parameter(0)
  u = bf16[2048,4096] parameter(1)
  w = bf16[2048,4096] parameter(2)
  gu = bf16[4096,4096] all-gather(u), replica_groups={{0,1}}, dimensions={0}, channel_id=1, use_global_device_ids=true
  y = bf16[512,4096] dot(x, gu), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  gw = bf16[4096,4096] all-gather(w), replica_groups={{0,1}}, dimensions={0}, channel_id=2, use_global_device_ids=true
  ROOT z = bf16[512,4096] dot(y, gw), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

class ProgramSweep : public testing::Test {
  protected:
    ProgramSweep() { file_ = files_.folder().write("step.hlo", program); }
    [[nodiscard]] std::string yaml(const std::string& workload, const std::string& rest,
                                   int devices = 2) const {
        return "name: t\nworkload: {ir: '" + file_ + "'" + workload +
               "}\nsystem: {cluster: h100_ndr400, devices: " + std::to_string(devices) + "}\n" + rest;
    }
    SweepFiles files_;
    std::string file_;
};

TEST_F(ProgramSweep, PlaysEveryPoint) {
    const Sweep sweep = files_.load(yaml("", "axes: {collective_order: [program, earliest, ahead]}\n"));
    Evaluator evaluator{sweep};
    std::vector<metrics::Metrics> found;
    for (const space::Point& point : test::points_of(sweep)) {
        space::Record record;
        evaluator.evaluate(point, record);
        ASSERT_EQ(record.status, space::Status::ok) << record.reason;
        found.push_back(record.metrics);
    }
    ASSERT_EQ(found.size(), 3U);
    for (const metrics::Metrics& metrics : found) {
        EXPECT_EQ(metrics.model_flop, 2 * 2 * 2.0 * 512 * 4096 * 4096);
        EXPECT_GT(metrics.exposed_dp, 0.0) << "what is gathered are arguments";
        EXPECT_EQ(metrics.memory_parameters, 2.0 * (512 * 4096 + 2 * 2048 * 4096));
    }
    // In program order both gathers stand in front of their products on a stream of their own already; the
    // second one may run beside the first product whatever the order.
    EXPECT_LE(found[1].iteration_time, found[0].iteration_time);
    EXPECT_GE(found[1].memory_peak, found[0].memory_peak);
}

TEST_F(ProgramSweep, WithoutOverlapItTakesLonger) {
    const Sweep sweep = files_.load(yaml("", "axes: {overlap_collectives: [true, false]}\n"));
    Evaluator evaluator{sweep};
    std::vector<double> times;
    for (const space::Point& point : test::points_of(sweep)) {
        space::Record record;
        evaluator.evaluate(point, record);
        ASSERT_EQ(record.status, space::Status::ok) << record.reason;
        times.push_back(record.metrics.iteration_time);
    }
    EXPECT_LT(times[0], times[1]);
}

TEST_F(ProgramSweep, OfOtherDevicesThePointSaysWhyNot) {
    const Sweep sweep = files_.load(yaml("", "axes: {devices: [2, 8]}\n"));
    Evaluator evaluator{sweep};
    space::Record record;
    evaluator.evaluate(test::points_of(sweep)[1], record);
    EXPECT_EQ(record.status, space::Status::outside_validity);
    EXPECT_THAT(record.reason, HasSubstr("for 2 devices, not for 8"));
}

TEST_F(ProgramSweep, AWorkloadIsAModelOrAProgram) {
    EXPECT_THAT(files_.errors(yaml(", model: llama3_8b", "axes: {devices: [2]}\n")),
                HasSubstr("workload.ir: stands beside a model"));
    EXPECT_THAT(files_.errors("name: t\nworkload: {sequence: 4}\nsystem: {cluster: h100_ndr400, devices: 2}\n"
                              "axes: {zero: [0, 1]}\n"),
                HasSubstr("workload.model: missing, and so is workload.ir"));
    EXPECT_THAT(files_.errors("name: t\nworkload: {ir: \"\"}\nsystem: {cluster: h100_ndr400, devices: 2}\n"
                              "axes: {fusion: [none]}\n"),
                HasSubstr("t.yaml:2:16: error: workload.ir: names no file"));
}

TEST_F(ProgramSweep, HowItIsLaidOutIsSaidInIt) {
    EXPECT_THAT(files_.errors(yaml(", tp: 2", "axes: {devices: [2]}\n")),
                HasSubstr("workload.tp: has no effect on a compiler's program"));
    EXPECT_THAT(files_.errors(yaml("", "axes: {zero: [1, 3]}\n")), HasSubstr("axes.zero: has no effect"));
}

TEST_F(ProgramSweep, AFileThatIsNotThereIsAnError) {
    EXPECT_THAT(files_.errors("name: t\nworkload: {ir: nowhere.mlir}\n"
                              "system: {cluster: h100_ndr400, devices: 2}\naxes: {devices: [2]}\n"),
                HasSubstr("there is no file 'nowhere.mlir'"));
}

}  // namespace
}  // namespace dse::eval
