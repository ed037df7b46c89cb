#include "app/energy_errors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::app {
namespace {

using ::testing::HasSubstr;

/// Half a joule a token where one was measured, 400 W where 500 were.
eval::EnergyComparison server() {
    eval::EnergyComparison each;
    each.row.id = "a";
    each.row.model = "m";
    each.row.gpu = "H100";
    each.row.power = 500.0;
    each.row.joules_per_token = 1.0;
    each.joules_per_token = 0.5;
    each.power = 400.0;
    each.power_at_pace = 450.0;
    return each;
}

TEST(EnergyErrors, AreThreeRowsAServer) {
    Json json;
    add_energies({server()}, json);
    ASSERT_EQ(json["rows"].size(), 3U);
    EXPECT_EQ(json["rows"][0]["metric"], "joules_per_token");
    EXPECT_DOUBLE_EQ(json["rows"][0]["error"].get<double>(), -0.5);
    EXPECT_DOUBLE_EQ(json["rows"][1]["error"].get<double>(), 400.0 / 500.0 - 1.0);
    EXPECT_DOUBLE_EQ(json["rows"][2]["predicted"].get<double>(), 450.0);
    EXPECT_EQ(json["summary"].back()["name"], "all");
    EXPECT_DOUBLE_EQ(json["summary"].back()["joules_per_token"]["median_absolute_error"].get<double>(), 0.5);
}

TEST(EnergyErrors, SayWhyOthersAreNot) {
    eval::EnergyComparison other;
    other.row.id = "b";
    other.why = "no model";
    ::testing::internal::CaptureStdout();
    print_energy_rows({server(), other});
    print_energies({server(), other});
    const std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_THAT(text, HasSubstr("-50.0 %"));
    EXPECT_THAT(text, HasSubstr("Of 2 rows, 1 are not predicted:\n     1  no model\n"));
}

}  // namespace
}  // namespace dse::app
