#include "dse/model/registry.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
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

TEST(Registry, makes_every_network_model) {
    workload::Mesh mesh;
    mesh = workload::Mesh::dense(8, 1, 1, 1);
    for (const auto& row : network_models().rows()) {
        const auto model = row.make(plain_network());
        const workload::Collective gather{workload::CollectiveKind::all_gather, workload::MeshAxis::tensor,
                                          Bytes{1e6}, 1.0};
        EXPECT_GE(model->collective(gather, mesh), Seconds{8.75e-6}) << row.name;
        EXPECT_FALSE(row.description.empty()) << row.name;
    }
}

TEST(Registry, passes_the_launch_time_on) {
    const auto model = compute_models().find("roofline")(bare_device(), Seconds{1e-3});
    EXPECT_SOFT_EQ(Seconds{1e-3}, model->time(matmul(1, 64, 64, 64)));
}

TEST(Registry, an_unknown_model_names_the_nearest) {
    try {
        static_cast<void>(network_models().find("latency_bandwith"));
        FAIL() << "no such model";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "unknown network model 'latency_bandwith' (did you mean 'latency_bandwidth'?)");
    }
}

}  // namespace
}  // namespace dse::model
