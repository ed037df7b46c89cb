// Also tests: field_names.cpp
#include "space/name_scope.hpp"

#include <gtest/gtest.h>

#include "space/field_names.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

class NameScopeTest : public ::testing::Test {
  protected:
    NameScopeTest() {
        const config::Node root = config::parse_yaml(
            "axes:\n  tp: [1]\n  outer.bandwidth: [1 GB/s]\n  n: [1]\nderive:\n  dp: tp * n\n  twice: 2 * "
            "dp\n",
            "sweep.yaml", diagnostics_);
        spec_ = read_sweep(root, fields_.index(), diagnostics_);
    }

    testing::TinyFields fields_;
    config::Diagnostics diagnostics_;
    SweepSpec spec_;
};

TEST_F(NameScopeTest, FindsAxesDerivedValuesAndFields) {
    ASSERT_TRUE(diagnostics_.ok()) << diagnostics_.text();
    const NameScope scope(spec_, fields_.index());
    struct Case {
        const char* name;
        Referent::Kind kind;
        std::size_t index;
    };
    const Case cases[] = {
        {"tp", Referent::Kind::axis, 0},
        {"workload.tp", Referent::Kind::axis, 0},
        {"system.outer.bandwidth", Referent::Kind::axis, 1},
        {"n", Referent::Kind::axis, 2},
        {"dp", Referent::Kind::derived, 0},
        {"workload.dp", Referent::Kind::derived, 0},
        {"twice", Referent::Kind::derived, 1},
    };
    std::string error;
    for (const Case& one : cases) {
        const auto found = scope.find(one.name, error);
        ASSERT_TRUE(found) << one.name << ": " << error;
        EXPECT_EQ(found->kind, one.kind) << one.name;
        EXPECT_EQ(found->index, one.index) << one.name;
    }
    const auto fixed = scope.find("inner.bandwidth", error);
    ASSERT_TRUE(fixed) << error;
    EXPECT_EQ(fixed->kind, Referent::Kind::field);
    EXPECT_EQ(fixed->field->read(), 25e9);
    EXPECT_EQ(scope.target(0), "workload.dp");
    EXPECT_EQ(scope.target(1), "");
}

TEST_F(NameScopeTest, SaysWhyANameMeansNothing) {
    const NameScope scope(spec_, fields_.index());
    std::string error;
    EXPECT_FALSE(scope.find("bandwidth", error));
    EXPECT_NE(error.find("system.inner.bandwidth or system.outer.bandwidth"), std::string::npos) << error;
    EXPECT_FALSE(scope.find("twise", error));
    EXPECT_EQ(error, "unknown name 'twise' (did you mean 'twice'?)");
    EXPECT_FALSE(scope.find("global_bach", error));
    EXPECT_EQ(error, "unknown name 'global_bach' (did you mean 'global_batch'?)");
}

TEST(FieldNames, PathsEndWithWholeParts) {
    EXPECT_TRUE(path_ends_with("system.outer.bandwidth", "outer.bandwidth"));
    EXPECT_TRUE(path_ends_with("devices", "devices"));
    EXPECT_FALSE(path_ends_with("system.outer.bandwidth", "width"));
    EXPECT_FALSE(path_ends_with("system.devices", ""));
    const testing::TinyFields fields;
    EXPECT_TRUE(match_field(fields.index(), "bandwidth").refused);
    EXPECT_FALSE(match_field(fields.index(), "width").refused);
    EXPECT_EQ(match_field(fields.index(), "devices").field->info().path, "system.devices");
}

}  // namespace
}  // namespace dse::space
