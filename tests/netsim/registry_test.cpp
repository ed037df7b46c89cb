#include "dse/netsim/registry.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::netsim {
namespace {

TEST(Registry, makes_every_network_model) {
    graph::Mesh mesh;
    mesh = graph::Mesh::dense(8, 1, 1, 1);
    for (const auto& row : network_models().rows()) {
        const auto model = row.make(model::plain_network());
        const graph::Collective gather{graph::CollectiveKind::all_gather, graph::MeshAxis::tensor, Bytes{1e6},
                                       1.0};
        EXPECT_GE(model->collective(gather, mesh), Seconds{8.75e-6}) << row.name;
        EXPECT_FALSE(row.description.empty()) << row.name;
    }
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
}  // namespace dse::netsim
