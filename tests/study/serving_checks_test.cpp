#include "study/serving_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/sweeps.hpp"

namespace dse::study {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ServingChecksTest : public ::testing::Test {
  protected:
    static std::string serving(const std::string& workload, const std::string& axes = "tp: [8]") {
        return "name: t\nworkload:\n  model: llama3_8b\n  mode: serving\n  " + workload +
               "\nsystem: {cluster: h100_ndr400, devices: 8}\naxes: {" + axes + "}\n";
    }
    [[nodiscard]] std::string errors(const std::string& workload, const std::string& axes = "tp: [8]") const {
        return files_.errors(serving(workload, axes));
    }
    [[nodiscard]] std::string warnings(const std::string& workload,
                                       const std::string& axes = "tp: [8]") const {
        std::string text;
        for (const config::Diagnostic& warning : files_.load(serving(workload, axes)).warnings)
            text += warning.path + ": " + warning.message + "\n";
        return text;
    }
    WorkloadFacts facts_;
    const test::WrittenSweeps files_{[this](const std::string& file, const std::vector<Setting>& settings) {
        return test::load_with(facts_, file, settings);
    }};
};

TEST_F(ServingChecksTest, RequestsMustArrive) {
    EXPECT_THAT(
        errors("traffic: {prompt: 10}"),
        HasSubstr("t.yaml:5:12: error: workload.traffic.rate: traffic has neither rate, nor clients"));
    EXPECT_THAT(errors("precision: fp8"), HasSubstr("t.yaml:3:3: error: workload.traffic.rate: "));
    EXPECT_EQ(errors("traffic: {prompt: 10}", "rate: [1 1/s]"), "");
    EXPECT_EQ(errors("traffic: {clients: 3}"), "");
    EXPECT_THAT(errors("traffic: {rate: 1 1/s, clients: 3}"),
                HasSubstr("t.yaml:5:35: error: workload.traffic.clients: traffic has both a rate and"));
    EXPECT_EQ(errors("traffic: {rate: 1 1/s, clients: 3}", "clients: [0, 3]"), "");
}

TEST_F(ServingChecksTest, LimitsMustNotContradictEachOther) {
    const std::string few = "traffic: {rate: 1 1/s}\n  serving: {max_sequences: 64, token_budget: 32}";
    EXPECT_THAT(errors(few), HasSubstr("t.yaml:6:28: error: workload.serving.max_sequences: max_sequences 64 "
                                       "is more than token_budget 32"));
    EXPECT_EQ(errors(few, "serving.token_budget: [32, 64]"), "");
    const std::string within = "traffic: {rate: 1 1/s}\n  slo: {rate_within: 0.1}";
    EXPECT_THAT(errors(within), HasSubstr("t.yaml:6:22: error: workload.slo.rate_within: rate_within: no "));
    EXPECT_EQ(errors(within, "slo.tpot_p99: [40 ms]"), "");
}

TEST_F(ServingChecksTest, HeadsThatDraftAreOfTheModel) {
    const std::string mtp = "traffic: {rate: 1 1/s}\n  serving: {speculative: mtp}";
    facts_.models = {{"llama3_8b", true, false}};
    EXPECT_THAT(errors(mtp), AllOf(HasSubstr("t.yaml:6:26: error: workload.serving.speculative: is mtp"),
                                   HasSubstr("'llama3_8b' has no heads that draft tokens")));
    EXPECT_EQ(errors(mtp, "speculative: [none, mtp]"), "");
    facts_.models = {{"llama3_8b", true, true}};
    EXPECT_EQ(errors(mtp), "");
}

TEST_F(ServingChecksTest, TellOfSettingsWithoutEffect) {
    EXPECT_EQ(warnings("traffic: {clients: 10, requests: 10}"), "");
    EXPECT_THAT(warnings("traffic: {clients: 12, requests: 10}"),
                HasSubstr("workload.traffic.clients: of 12 clients 2 never send a request"));
    EXPECT_THAT(warnings("traffic: {requests: 10}", "clients: [4, 20]"),
                HasSubstr("axes.clients: of 20 clients 10 never send a request"));
    EXPECT_THAT(warnings("traffic: {requests: 10}", "clients: [4, 20, 8]"),
                HasSubstr("axes.clients: of 20 clients 10 never send a request"));
    EXPECT_THAT(warnings("traffic: {rate: 1 1/s}\n  serving: {prefix_cache: true, scheduler: sglang}"),
                HasSubstr("workload.serving.prefix_cache: has no effect"));
    EXPECT_EQ(warnings("traffic: {rate: 1 1/s}\n  serving: {prefix_cache: true}"), "")
        << "requests that vLLM preempts find their pages again";
    EXPECT_EQ(warnings("traffic: {rate: 1 1/s, prefix: 64}\n  serving: {prefix_cache: true}"), "");
    EXPECT_EQ(warnings("traffic: {rate: 1 1/s, turns: 4, turn_gap: 30 s}\n  serving: {prefix_cache: true, "
                       "scheduler: sglang, host_cache: 8 GiB}"),
              "");
    EXPECT_THAT(warnings("traffic: {rate: 1 1/s, turn_gap: 30 s}"),
                HasSubstr("workload.traffic.turn_gap: has no effect"));
    EXPECT_THAT(warnings("traffic: {rate: 1 1/s, turns_spread: 1}"),
                HasSubstr("workload.traffic.turns_spread: has no effect"));
    EXPECT_THAT(warnings("traffic: {rate: 1 1/s}\n  serving: {prefix_cache: true, host_cache: 8 GiB}"),
                HasSubstr("workload.serving.host_cache: has no effect"));
    EXPECT_THAT(warnings("traffic: {rate: 1 1/s, prefixes: 4}"),
                HasSubstr("workload.traffic.prefixes: has no effect: no prefix is stated"));
    EXPECT_EQ(warnings("traffic: {rate: 1 1/s, prefixes: 4}", "traffic.prefix: [0, 64]"), "");
    EXPECT_THAT(warnings("traffic: {rate: 1 1/s}\n  serving: {scheduling_policy: priority}"),
                HasSubstr("workload.serving.scheduling_policy: is priority, but no classes"));
    const std::string classes = "traffic: {rate: 1 1/s, classes: [{name: a}, {name: b, priority: 1}]}";
    EXPECT_THAT(warnings(classes), HasSubstr("workload.traffic.classes: differ in priority"));
    EXPECT_EQ(warnings(classes + "\n  serving: {scheduling_policy: priority}"), "");
    const std::string ends = "traffic: {rate: 1 1/s, timeout: 9 s}\n  slo: {ttft_p99: 1 s}";
    EXPECT_THAT(warnings(ends, "tp: [1]}\nwhere: [slo_worst <= 1]\nmetrics: {m: tp"),
                HasSubstr("slo_worst is that of answered requests"));
    EXPECT_EQ(warnings(ends, "tp: [1]}\nwhere: [slo_worst <= 1, requests_lost == 0]\nmetrics: {m: tp"), "");
}

}  // namespace
}  // namespace dse::study
