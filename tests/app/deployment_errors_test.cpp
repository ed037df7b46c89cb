#include "app/deployment_errors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace dse::app {
namespace {

using ::testing::HasSubstr;

eval::ServingComparison deployment() {
    eval::ServingComparison each;
    each.row.id = "a";
    each.row.model = "m";
    each.row.gpu = "h100";
    each.row.framework = "vllm";
    each.row.output = 11;
    each.row.concurrency = 4;
    each.row.ttft = 1.0;
    each.row.tpot = 0.1;
    each.ttft = 1.0;
    each.tpot = 0.2;
    return each;
}

/// Requests of 2 s and, as predicted, of 3: 4 · 11 tokens in that time.
TEST(DeploymentErrors, AreThreeRowsADeployment) {
    ::testing::internal::CaptureStdout();
    print_deployments_json({deployment()}, eval::summarize({deployment()}));
    const auto json = nlohmann::json::parse(::testing::internal::GetCapturedStdout());
    ASSERT_EQ(json["rows"].size(), 3U);
    EXPECT_EQ(json["rows"][0]["metric"], "ttft");
    EXPECT_NEAR(json["rows"][1]["error"].get<double>(), 1.0, 1e-12);
    EXPECT_NEAR(json["rows"][2]["measured"].get<double>(), 22.0, 1e-9);
    EXPECT_NEAR(json["rows"][2]["error"].get<double>(), 0.5, 1e-12);
    EXPECT_EQ(json["summary"].back()["name"], "all");
}

TEST(DeploymentErrors, SayWhyOthersAreNot) {
    eval::ServingComparison other = deployment();
    other.why = "nobody knows";
    ::testing::internal::CaptureStdout();
    print_deployment_rows({deployment(), other});
    print_deployments({deployment(), other}, eval::summarize({deployment(), other}));
    const std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_THAT(text, HasSubstr("+100.0 %"));
    EXPECT_THAT(text, HasSubstr("Of 2 rows, 1 are not predicted:\n     1  nobody knows\n"));
}

}  // namespace
}  // namespace dse::app
