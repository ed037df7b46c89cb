#include "results/shown_units.hpp"

#include <gtest/gtest.h>

namespace dse::results {
namespace {

/// The unit in which a bandwidth is shown, given the text of the axes.
std::string shown(const std::string& axes) {
    ResultSchema schema;
    schema.sweep.yaml = axes;
    schema.points = {{"cluster.network.bandwidth", ColumnKind::real, ColumnRole::axis, "B/s", {}}};
    set_shown_units(schema);
    return schema.points.front().shown_unit;
}

TEST(ShownUnits, AreThoseOfTheSweep) {
    EXPECT_EQ(shown("axes: {network.bandwidth: [200 Gbps, 400 Gbps]}"), "Gbps");
    EXPECT_EQ(shown("axes: {cluster.network.bandwidth: 450 GB/s}"), "GB/s");
    EXPECT_EQ(shown("axes: {bandwidth: {from: 100 Gbps, to: 800 Gbps, step: 100 Gbps}}"), "Gbps");
    EXPECT_EQ(shown("axes: {bandwidth: {when: tp > 1, values: [100 Gbps]}}"), "Gbps");
}

TEST(ShownUnits, AreUnknownWhereTheyDiffer) {
    EXPECT_EQ(shown("axes: {bandwidth: [200 Gbps, 50 GB/s]}"), "");
    EXPECT_EQ(shown("axes: {layout: [{bandwidth: 200 Gbps}]}"), "");
    EXPECT_EQ(shown("axes: {work.bandwith: [200 Gbps]}"), "");
    EXPECT_EQ(shown("name: t"), "");
    EXPECT_EQ(shown("[: not yaml"), "");
}

}  // namespace
}  // namespace dse::results
