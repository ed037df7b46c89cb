#include "dse/results/record_columns.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::results {
namespace {

TEST(RecordColumns, AreMetricsAndWhatStandsBesideThem) {
    const RecordColumns columns{{{"area", "mm2"}, {"energy", "J"}, {"density", ""}}};
    EXPECT_THAT(columns.more(), ::testing::ElementsAre("area", "density"));
    space::Record record;
    record.metrics.energy = 2.0;
    record.more = {5.0, 6.0};
    std::vector<double> values;
    columns.append(record, values);
    EXPECT_THAT(values, ::testing::ElementsAre(5.0, 2.0, 6.0));
}

TEST(RecordColumns, HaveNoValueWhereARecordHasNone) {
    const RecordColumns columns{{{"area", "mm2"}, {"density", ""}}};
    space::Record record;
    record.more = {5.0};
    std::vector<double> values;
    columns.append(record, values);
    EXPECT_EQ(values[0], 5.0);
    EXPECT_TRUE(std::isnan(values[1]));
}

TEST(RecordColumns, ComeBackIntoARecord) {
    const RecordColumns columns{{{"area", "mm2"}, {"energy", "J"}, {"density", ""}}};
    space::Record record;
    record.more = {9.0};
    columns.assign({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}}, 1, record);
    EXPECT_EQ(record.metrics.energy, 4.0);
    EXPECT_THAT(record.more, ::testing::ElementsAre(2.0, 6.0));
}

}  // namespace
}  // namespace dse::results
