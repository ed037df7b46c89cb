#include "dse/results/column.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::results {
namespace {

TEST(Column, KindsAndRolesReadWhatTheyWrite) {
    for (const auto kind : {ColumnKind::integer, ColumnKind::real, ColumnKind::flag, ColumnKind::label}) {
        EXPECT_EQ(column_kind(name(kind)), kind);
    }
    for (const auto role : {ColumnRole::axis, ColumnRole::derived}) EXPECT_EQ(column_role(name(role)), role);
    EXPECT_EQ(name(ColumnKind::label), "label");
    EXPECT_EQ(name(ColumnRole::derived), "derived");
    EXPECT_THROW(column_kind("complex"), InputError);
    EXPECT_THROW(column_role(""), InputError);
}

TEST(Column, TextsAreInSiUnits) {
    const Column scale{"scale", ColumnKind::real, ColumnRole::axis, "1", {}};
    EXPECT_EQ(to_text({"tp", ColumnKind::integer, ColumnRole::axis, "", {}}, 16.0), "16");
    EXPECT_EQ(to_text(scale, 0.1), "0.1");
    EXPECT_EQ(to_text(scale, std::nan("")), "");
    const Column flash{"flash", ColumnKind::flag, ColumnRole::axis, "", {}};
    EXPECT_EQ(to_text(flash, 1.0), "yes");
    EXPECT_EQ(to_text(flash, 0.0), "no");
    EXPECT_EQ(to_text({"schedule", ColumnKind::label, ColumnRole::axis, "", {"gpipe", "1f1b"}}, 1.0), "1f1b");
}

TEST(Column, TextsAreInTheUnitOfTheSweep) {
    Column bandwidth{"bandwidth", ColumnKind::real, ColumnRole::axis, "B/s", {}};
    EXPECT_EQ(column_text(bandwidth, 5e10), "50 GB/s");
    bandwidth.shown_unit = "Gbps";
    EXPECT_EQ(column_text(bandwidth, 5e10), "400 Gbps");
    EXPECT_EQ(column_text({"tp", ColumnKind::integer, ColumnRole::axis, "", {}}, 8.0), "8");
    EXPECT_EQ(column_text({"tp", ColumnKind::integer, ColumnRole::axis, "", {}}, std::nan("")), "");
}

}  // namespace
}  // namespace dse::results
