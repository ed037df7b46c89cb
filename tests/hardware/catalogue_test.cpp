#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "dse/config/library.hpp"
#include "dse/config/reader.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/hardware/network/domain_links.hpp"
#include "dse/hardware/system_spec.hpp"
#include "support/source_dir.hpp"

/// The data files of hardware/: every one reads without a complaint, and says where each number comes from.
namespace dse::hardware {
namespace {

config::Library source_tree() {
    return config::Library{{DSE_SOURCE_DIR}};
}

template <class Struct>
Struct load(const char* folder, const std::string& name, config::Diagnostics& diagnostics) {
    const config::Library library = source_tree();
    // With the file that it may be based on.
    const auto node = library.load(folder, config::Node::scalar(name, folder, "catalogue"), diagnostics);
    Struct result;
    if (node) config::read_struct(*node, result, &library, diagnostics);
    return result;
}

/// Numbers of a document that have no source beside them, as "file:line:column path".
void collect_unsourced(const config::Node& node, bool has_source, std::vector<std::string>& found) {
    if (node.is_scalar()) {
        const std::string& text = node.text();
        const bool is_number = !node.quoted() && !text.empty() && text.find_first_of("0123456789") == 0;
        if (is_number && !has_source) found.push_back(to_string(node.location()) + " " + node.path());
    }
    const bool stated =
        node.is_map() && node.find("source") != nullptr && node.find("source")->text().size() >= 6;
    for (const config::Node::Entry& entry : node.entries()) {
        // Text, not a number, whatever it begins with.
        if (entry.key == "source" || entry.key == "name" || entry.key == "note") continue;
        collect_unsourced(entry.value, stated, found);
    }
    for (const config::Node& item : node.items()) collect_unsourced(item, false, found);
}

std::vector<std::string> unsourced(const char* folder, const std::string& name) {
    config::Diagnostics diagnostics;
    std::vector<std::string> found;
    collect_unsourced(config::load_yaml(*source_tree().find(folder, name), diagnostics), false, found);
    return found;
}

class Device : public testing::TestWithParam<std::string> {};
class Cluster : public testing::TestWithParam<std::string> {};

TEST_P(Device, reads_cleanly) {
    config::Diagnostics diagnostics;
    const auto device = load<DeviceSpec>("hardware/devices", GetParam(), diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
    EXPECT_TRUE(problems_of(device).empty()) << problems_of(device).text();
}

TEST_P(Device, sustains_no_more_than_its_peak) {
    config::Diagnostics diagnostics;
    const auto device = load<DeviceSpec>("hardware/devices", GetParam(), diagnostics);
    EXPECT_LE(device.matmul.sustained.bf16, device.peak.bf16);
    EXPECT_LE(device.matmul.sustained.fp8, device.peak.fp8);
    EXPECT_LE(device.matmul.sustained.int8, device.peak.int8);
    EXPECT_GT(std::max(device.peak.bf16, device.peak.fp16), FlopPerSecond{});  // V100 has no bf16
    EXPECT_GT(device.power.tdp, Watts{});
}

/// A base has no datasheet: with any one, it is a device.
TEST(Bases, are_devices_with_a_datasheet) {
    const std::vector<std::string> names = source_tree().names("hardware/devices/bases");
    EXPECT_EQ(names, std::vector<std::string>{"typical_gpu"});
    const config::Library library = source_tree();
    for (const std::string& name : names) {
        EXPECT_EQ(unsourced("hardware/devices/bases", name), std::vector<std::string>{});
        config::Diagnostics diagnostics;
        const auto read = [&](const std::string& datasheet) {
            const auto node = library.resolve(
                "hardware/devices",
                config::parse_yaml("base: " + name + "\n" + datasheet, "heir.yaml", diagnostics),
                diagnostics);
            DeviceSpec device;
            if (node) config::read_struct(*node, device, &library, diagnostics);
            return device;
        };
        const DeviceSpec heir =
            read("peak: {fp16: 125 TFLOPS}\nmemory: {capacity: 32 GB, bandwidth: 1 TB/s}\n");
        EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
        EXPECT_LT(heir.matmul.peak_share, 1.0);
        EXPECT_EQ(heir.peak.bf16, FlopPerSecond{}) << "a format that the heir does not state";
        EXPECT_EQ(heir.power.tdp, Watts{});
        read("price: 1 USD/h\n");
        EXPECT_EQ(diagnostics.error_count(), 3U) << "peak, capacity, bandwidth:\n" << diagnostics.text();
    }
}

TEST(Tables, read_cleanly) {
    const std::vector<std::string> names = source_tree().names("hardware/tables");
    EXPECT_GE(names.size(), 5U);
    for (const std::string& name : names) {
        config::Diagnostics diagnostics;
        const auto table = load<MeasuredTable>("hardware/tables", name, diagnostics);
        EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
        EXPECT_TRUE(table.exists()) << name;
        EXPECT_GT(table.source.size(), 20U) << name;
    }
}

TEST(Learned, reads_cleanly) {
    const std::vector<std::string> names = source_tree().names("hardware/learned");
    EXPECT_GE(names.size(), 8U);
    for (const std::string& name : names) {
        config::Diagnostics diagnostics;
        const auto learned = load<LearnedSpec>("hardware/learned", name, diagnostics);
        EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
        EXPECT_TRUE(learned.trees != nullptr || learned.vector.exists()) << name;
        if (learned.trees != nullptr) {
            EXPECT_GE(learned.trees->kinds().size(), 6U) << name;
        }
        EXPECT_GT(learned.source.size(), 20U) << name;
        EXPECT_EQ(unsourced("hardware/learned", name), std::vector<std::string>{}) << name;
    }
}

/// Sections are of devices, hosts and facilities: what none of them has is a mistake.
TEST(Energy, components_have_sources_and_are_used) {
    EXPECT_EQ(unsourced("hardware/energy", "components"), std::vector<std::string>{});
    config::Diagnostics diagnostics;
    const auto device = load<DeviceSpec>("hardware/devices", "h100_sxm", diagnostics);
    EXPECT_DOUBLE_EQ(device.power.per_flop.value(), 0.62e-12);
    EXPECT_DOUBLE_EQ(device.power.tdp.value(), 700.0);
    const auto cluster = load<ClusterSpec>("hardware/clusters", "h100_ndr400", diagnostics);
    EXPECT_DOUBLE_EQ(cluster.host.embodied.value(), 312e3);
    EXPECT_DOUBLE_EQ(cluster.facility.pue, 1.2);
    EXPECT_DOUBLE_EQ(cluster.facility.carbon_intensity.value(), 473.0 / 3.6e6);
    EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
}

TEST_P(Device, has_a_source_beside_every_number) {
    EXPECT_EQ(unsourced("hardware/devices", GetParam()), std::vector<std::string>{});
}

TEST_P(Cluster, reads_cleanly) {
    config::Diagnostics diagnostics;
    const auto cluster = load<ClusterSpec>("hardware/clusters", GetParam(), diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
    EXPECT_TRUE(problems_of(cluster).empty()) << problems_of(cluster).text();
}

TEST_P(Cluster, is_faster_inside_a_domain_than_across) {
    config::Diagnostics diagnostics;
    const auto cluster = load<ClusterSpec>("hardware/clusters", GetParam(), diagnostics);
    EXPECT_GT(cluster.network.scale_up.link.sustained(), cluster.network.scale_out.sustained());
    EXPECT_LE(cluster.network.scale_up.link.latency, cluster.network.scale_out.link.latency);
    EXPECT_EQ(cluster.network.scale_up.domain % cluster.devices_per_node, 0);
}

/// Both descriptions of a domain without a switch: its device's links, one by one and together.
TEST_P(Cluster, has_the_links_of_its_devices) {
    config::Diagnostics diagnostics;
    const NetworkSpec network = load<ClusterSpec>("hardware/clusters", GetParam(), diagnostics).network;
    if (!DomainLinks{network}.are_direct()) return;
    const LinkSpec& one = network.dimensions[0].link;
    const auto others = static_cast<double>(network.scale_up.domain - 1);
    EXPECT_NEAR(one.bandwidth * others / network.scale_up.link.bandwidth, 1.0, 1e-9);
    EXPECT_EQ(one.efficiency, network.scale_up.link.efficiency);
    EXPECT_EQ(one.latency, network.scale_up.link.latency);
}

/// Whoever names another base for a section loses what that of his own base has.
TEST_P(Cluster, has_a_host_that_draws_power_if_that_of_its_base_does_and_it_states_none) {
    config::Diagnostics diagnostics;
    const auto file = config::load_yaml(*source_tree().find("hardware/clusters", GetParam()), diagnostics);
    const config::Node* base = file.find("base");
    const config::Node* host = file.find("host");
    const bool states_it = host != nullptr && host->find("power") != nullptr;
    if (base == nullptr || states_it) return;
    const auto host_of = [&](const std::string& name) {
        return load<ClusterSpec>("hardware/clusters", name, diagnostics).host;
    };
    if (host_of(base->text()).power > Watts{}) {
        EXPECT_GT(host_of(GetParam()).power, Watts{});
    }
}

TEST_P(Cluster, has_a_source_beside_every_number) {
    EXPECT_EQ(unsourced("hardware/clusters", GetParam()), std::vector<std::string>{});
}

const auto name_of = [](const auto& info) { return info.param; };
INSTANTIATE_TEST_SUITE_P(hardware, Device, testing::ValuesIn(source_tree().names("hardware/devices")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(hardware, Cluster, testing::ValuesIn(source_tree().names("hardware/clusters")),
                         name_of);

TEST(Catalogue, the_source_rule_sees_a_bare_number) {
    config::Diagnostics diagnostics;
    const auto node =
        config::parse_yaml("memory:\n  capacity: {value: 80 GiB, source: datasheet}\n  bandwidth: 2 TB/s\n",
                           "x.yaml", diagnostics);
    std::vector<std::string> found;
    collect_unsourced(node, false, found);
    EXPECT_EQ(found, std::vector<std::string>{"x.yaml:3:14 memory.bandwidth"});
}

TEST(Catalogue, holds_the_machines_of_the_published_runs) {
    const config::Library library = source_tree();
    for (const char* device : {"a100_40_sxm", "a100_80_sxm", "h100_sxm", "h100_sxm_hbm2e_500w", "h200_sxm",
                               "b200_sxm", "gb200", "b300_sxm", "gb300"}) {
        EXPECT_TRUE(library.find("hardware/devices", device)) << device;
    }
    for (const char* cluster : {"dgx_a100_hdr200", "aws_p4d", "aws_p4de", "h100_ndr400", "grand_teton_h100",
                                "dgx_h200_ndr400", "dgx_b200", "b300", "gb200_nvl72", "gb300_nvl72"}) {
        EXPECT_TRUE(library.find("hardware/clusters", cluster)) << cluster;
    }
}

}  // namespace
}  // namespace dse::hardware
