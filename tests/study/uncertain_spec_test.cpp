// Also tests: uncertain_spec_yaml.cpp
#include "dse/study/uncertain_spec.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/study/scenario.hpp"

namespace dse::study {
namespace {

using ::testing::HasSubstr;

UncertainSpec read(const std::string& yaml, std::string* errors = nullptr) {
    config::Diagnostics diagnostics;
    Scenario scenario;
    config::FieldIndex fields;
    fields.add("", scenario);
    UncertainSpec spec = read_uncertain(config::parse_yaml(yaml, "u.yaml", diagnostics), fields, diagnostics);
    try {
        diagnostics.throw_if_any();
    } catch (const std::exception& error) {
        if (errors == nullptr) throw;
        *errors = error.what();
    }
    return spec;
}

std::string errors_of(const std::string& yaml) {
    std::string errors;
    read(yaml, &errors);
    return errors;
}

TEST(UncertainSpec, SaysHowFieldsAreDistributed) {
    const UncertainSpec spec = read(
        "{draws: 1e3, scale_out.bandwidth: {normal: [400 Gbps, 40 Gbps]}, "
        "device.memory.bandwidth: {factor: {uniform: [0.8, 1.2]}}}");
    EXPECT_EQ(spec.draws, 1000);
    ASSERT_EQ(spec.fields.size(), 2U);
    EXPECT_EQ(spec.fields[0].field.path, "system.cluster.network.scale_out.bandwidth");
    EXPECT_EQ(spec.fields[0].first, 50e9);
    EXPECT_EQ(spec.fields[0].second, 5e9);
    EXPECT_EQ(spec.fields[1].means, UncertainField::Means::factor);
    EXPECT_EQ(spec.fields[1].at(0.25), 0.9);
}

TEST(UncertainSpec, SaysWhatIsWrong) {
    EXPECT_THAT(errors_of("{beauty: {normal: [1, 2]}}"), HasSubstr("beauty"));
    EXPECT_THAT(errors_of("{scale_out.bandwidth: {gamma: [1, 2]}}"),
                HasSubstr("unknown distribution 'gamma'"));
    EXPECT_THAT(errors_of("{scale_out.bandwidth: {normal: [1, 2]}}"), HasSubstr("unit"));
    EXPECT_THAT(errors_of("{scale_out.bandwidth: {normal: [1 Gbps]}}"), HasSubstr("two numbers"));
    EXPECT_THAT(errors_of("{scale_out.bandwidth: {factor: {uniform: [2, 1]}}}"), HasSubstr("upper end"));
    EXPECT_THAT(errors_of("{draws: 1}"), HasSubstr("draws are 2 to"));
    EXPECT_THAT(errors_of("{workload.schedule: {normal: [1, 2]}}"), HasSubstr("not a number"));
    EXPECT_THAT(errors_of("[a]"), HasSubstr("is a map"));
}

// Φ((1 - 0.9) / 0.3) = Φ(1/3) = 0.631: 37 % of the draws are above 1; Φ(-3) below 0 are few.
TEST(UncertainSpec, WarnsOfDrawsThatGiveNoMachine) {
    const auto warnings = [](const std::string& yaml) {
        config::Diagnostics diagnostics;
        Scenario scenario;
        scenario.system.cluster.network.scale_out.link.efficiency = 0.9;
        config::FieldIndex fields;
        fields.add("", scenario);
        read_uncertain(config::parse_yaml(yaml, "u.yaml", diagnostics), fields, diagnostics);
        return diagnostics.text();
    };
    EXPECT_THAT(
        warnings("{scale_out.efficiency: {normal: [0.9, 0.3]}}"),
        HasSubstr("u.yaml:1:2: warning: uncertain.system.cluster.network.scale_out.efficiency: 37 % of its "
                  "draws are not"));
    EXPECT_THAT(warnings("{scale_out.efficiency: {factor: {uniform: [0.5, 2]}}}"),
                HasSubstr("59 % of its draws"))
        << "above 1 / 0.9";
    EXPECT_EQ(warnings("{scale_out.efficiency: {normal: [0.9, 0.02]}}"), "");
    EXPECT_EQ(warnings("{scale_out.bandwidth: {normal: [360 Gbps, 40 Gbps]}}"), "");
}

TEST(UncertainField, HasTheNormalDistributionsQuantiles) {
    UncertainField field;
    field.first = 10.0;
    field.second = 2.0;
    EXPECT_NEAR(field.at(0.5), 10.0, 1e-9);
    // Φ⁻¹(0.975) = 1.959963985, Φ⁻¹(0.001) = −3.090232306 (any table).
    EXPECT_NEAR(field.at(0.975), 10.0 + 2.0 * 1.959963985, 1e-7);
    EXPECT_NEAR(field.at(0.001), 10.0 - 2.0 * 3.090232306, 1e-7);
}

TEST(UncertainSpec, DrawsFillEachDistributionEvenly) {
    const UncertainSpec spec = read(
        "{draws: 100, scale_out.bandwidth: {normal: [400 Gbps, 40 Gbps]}, "
        "scale_up.bandwidth: {normal: [400 Gbps, 40 Gbps]}}");
    const auto places = spec.places(7);
    ASSERT_EQ(places.size(), 100U);
    for (std::size_t field = 0; field < 2; ++field) {
        std::vector<double> column;
        for (const auto& draw : places) column.push_back(draw[field]);
        std::sort(column.begin(), column.end());
        for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(std::floor(column[i] * 100), static_cast<double>(i));
    }
    EXPECT_EQ(places, spec.places(7));
    EXPECT_NE(places, spec.places(8));
    EXPECT_NE(places[0][0], places[0][1]);
}

TEST(UncertainSpec, NamesItsColumns) {
    UncertainSpec spec;
    spec.of = {{"energy", metrics::Direction::minimize}};
    const auto columns = statistic_columns(spec);
    ASSERT_EQ(columns.size(), 7U);
    EXPECT_EQ(columns[0].name, "feasible_share");
    EXPECT_EQ(columns[6].name, "energy_worst_decile");
    EXPECT_EQ(columns[6].unit, "J");
    EXPECT_EQ(metric_of_statistic("energy_p90"), "energy");
    EXPECT_EQ(metric_of_statistic("ttft_p90"), "ttft_p90") << "a metric by itself";
    EXPECT_EQ(metric_of_statistic("ttft_p90_mean"), "ttft_p90");
    EXPECT_EQ(metric_of_statistic("beauty_mean"), "beauty_mean");
}

}  // namespace
}  // namespace dse::study
