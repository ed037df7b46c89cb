#include "dse/metrics/metrics.hpp"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::metrics {
namespace {

TEST(MetricFields, NameEveryMemberOnce) {
    // Metrics holds doubles only, so its size counts its members: a member without a field would show here.
    EXPECT_EQ(metric_fields().size(), sizeof(Metrics) / sizeof(double));
    std::set<std::string_view> names;
    Metrics metrics;
    for (const MetricField& field : metric_fields()) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_FALSE(field.unit.empty()) << field.name;
        EXPECT_FALSE(field.description.empty()) << field.name;
        EXPECT_TRUE(std::isnan(metrics.*field.member)) << "named twice, or not NaN at first: " << field.name;
        metrics.*field.member = 1.0;
    }
}

TEST(MetricField, IsFoundByName) {
    EXPECT_EQ(metric_field("memory_peak").member, &Metrics::memory_peak);
    EXPECT_EQ(metric_field("memory_peak").unit, "B");
}

TEST(MetricField, SaysWhetherItNeedsRequests) {
    for (const char* name : {"ttft_mean", "itl_p99", "goodput", "queue_max", "decode_cache_use_max"})
        EXPECT_TRUE(metric_field(name).of_requests) << name;
    for (const char* name : {"iteration_time", "usd_per_mtoken", "time_per_output_token", "batch_limit"})
        EXPECT_FALSE(metric_field(name).of_requests) << name;
}

TEST(MetricField, NamesTheNearestForAnUnknownOne) {
    try {
        metric_field("iteration_tme");
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("'iteration_time'"));
    }
}

}  // namespace
}  // namespace dse::metrics
