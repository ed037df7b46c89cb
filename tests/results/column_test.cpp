#include "dse/results/column.hpp"

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

}  // namespace
}  // namespace dse::results
