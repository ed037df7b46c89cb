#include "dse/model/registry.hpp"

#include <gtest/gtest.h>

#include "model/devices.hpp"
#include "model/works.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

TEST(Registry, makes_every_compute_model) {
    for (const auto& row : compute_models().rows()) {
        const auto model = row.make(measured_device(), Seconds{});
        EXPECT_GE(model->time(matmul(1, 1000, 1000, 1000)), Seconds{20e-6}) << row.name;
        EXPECT_FALSE(row.description.empty()) << row.name;
    }
}

TEST(Registry, passes_the_launch_time_on) {
    const auto model = compute_models().find("roofline")(bare_device(), Seconds{1e-3});
    EXPECT_SOFT_EQ(Seconds{1e-3}, model->time(matmul(1, 64, 64, 64)));
}

}  // namespace
}  // namespace dse::model
