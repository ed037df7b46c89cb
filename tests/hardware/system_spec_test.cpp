#include "dse/hardware/system_spec.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/config/field_index.hpp"
#include "hardware/problem_keys.hpp"
#include "support/source_dir.hpp"

namespace dse::hardware {
namespace {

SystemSpec load(const std::string& yaml, std::string& errors) {
    const config::Library library{{DSE_SOURCE_DIR}};
    config::Diagnostics diagnostics;
    SystemSpec system;
    config::read_struct(config::parse_yaml(yaml, "x.yaml", diagnostics), system, &library, diagnostics);
    errors = diagnostics.text();
    return system;
}

TEST(SystemSpec, takes_its_cluster_from_the_library) {
    std::string errors;
    const SystemSpec system = load("cluster: h100_ndr400\ndevices: 1024\n", errors);
    EXPECT_EQ(errors, "");
    EXPECT_EQ(system.devices, 1024);
    EXPECT_DOUBLE_EQ(system.cluster.device.peak.bf16.value(), 989e12);
    EXPECT_DOUBLE_EQ(system.cluster.network.scale_out.link.bandwidth.value(), 50e9);
    EXPECT_NO_THROW(validate(system));
}

TEST(SystemSpec, a_base_keeps_what_is_not_overridden) {
    std::string errors;
    const SystemSpec system =
        load("cluster: {base: h100_ndr400, network: {scale_up: {domain: 16}}}\ndevices: 16\n", errors);
    EXPECT_EQ(errors, "");
    EXPECT_EQ(system.cluster.network.scale_up.domain, 16);
    EXPECT_DOUBLE_EQ(system.cluster.network.scale_up.link.bandwidth.value(), 450e9);
}

TEST(SystemSpec, an_unknown_cluster_names_the_nearest) {
    std::string errors;
    load("cluster: h100_ndr40\ndevices: 16\n", errors);
    EXPECT_NE(errors.find("h100_ndr400"), std::string::npos) << errors;
}

TEST(SystemSpec, an_override_out_of_range_is_reported_where_it_stands) {
    std::string errors;
    load("cluster: {base: h100_ndr400, devices_per_node: 0}\ndevices: 16\n", errors);
    EXPECT_EQ(
        errors,
        "x.yaml:1:48: error: cluster.devices_per_node: '0' is out of range: must be at least 1 (devices that "
        "share one operating system)");
}

TEST(SystemSpec, refuses_values_of_axes_that_no_machine_has) {
    std::string errors;
    SystemSpec system = load("cluster: h100_ndr400\ndevices: 16\n", errors);
    config::FieldIndex index;
    index.add("system", system);
    const config::FieldRef* field = index.resolve("cluster.network.scale_out.bandwidth");
    ASSERT_NE(field, nullptr);
    field->assign(-1.0);
    try {
        validate(system);
        FAIL() << "a negative bandwidth passed";
    } catch (const ModelError& refusal) {
        EXPECT_STREQ(refusal.what(),
                     "impossible system: cluster.network.scale_out.bandwidth: -1 B/s is out of range: must "
                     "be above 0 B/s "
                     "(line rate per direction and device)");
    }
}

/// The names that sweeps use for the machine each lead to one field.
TEST(SystemSpec, axes_find_their_fields) {
    SystemSpec system;
    config::FieldIndex index;
    index.add("system", system);
    for (const char* name : {"devices", "cluster.network.scale_out.bandwidth", "scale_up.domain", "domain",
                             "cluster.device.memory.capacity", "oversubscription", "tdp"}) {
        EXPECT_NE(index.resolve(name), nullptr) << index.why_unresolved(name);
    }
    EXPECT_EQ(index.resolve("latency"), nullptr);
    const std::string error = index.why_unresolved("latency");
    EXPECT_NE(error.find("scale_up.latency"), std::string::npos) << error;
}

}  // namespace
}  // namespace dse::hardware
