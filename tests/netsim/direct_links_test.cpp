#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dse/netsim/registry.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

/// All network models agree about the links that a group of n of the N devices of a domain without a switch
/// can use: those between its members.
namespace dse::netsim {
namespace {

using graph::Collective;
using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;
using hardware::DimensionKind;
using hardware::NetworkSpec;
using hardware::TopologyKind;
using model::plain_dimension;

constexpr CollectiveKind kinds[]{CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                 CollectiveKind::reduce_scatter, CollectiveKind::all_to_all};

/// A group of `members` devices, neighbours or `stride` apart, of domains of `domain` devices.
struct Case {
    std::int64_t domain;
    std::int64_t members;
    std::int64_t stride;
    std::int64_t domains;
    double link;  ///< GB/s
    double size;

    [[nodiscard]] Mesh mesh() const {
        return Mesh::dense(stride, 1, members, domain * domains / (stride * members));
    }
    [[nodiscard]] std::string text() const {
        return fmt::format("{} of {} devices, stride {}, {} domains, {} GB/s, {} bytes", members, domain,
                           stride, domains, link, size);
    }
};

/// At least 240 GB/s a link, so that `calibrated` does not take a pair for one on PCIe.
std::vector<Case> cases() {
    std::mt19937_64 random{5};
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>{low, high}(random);
    };
    std::vector<Case> all;
    for (const std::int64_t domain : {2, 4, 6, 8, 16}) {
        for (std::int64_t members = 2; members <= domain; ++members) {
            if (domain % members != 0) continue;
            for (const std::int64_t stride : {std::int64_t{1}, domain / members})
                for (const std::int64_t domains : {1, 2})
                    all.push_back(
                        {domain, members, stride, domains, uniform(240, 500), std::exp2(uniform(12, 33))});
        }
    }
    return all;
}

/// Domains behind a switch.
NetworkSpec behind_switches(const Case& c, double rate) {
    NetworkSpec network;
    network.scale_up.link = {BytesPerSecond{rate * 1e9}, Seconds{1e-6}, 1.0};
    network.scale_up.domain = c.domain;
    network.scale_out.link = {BytesPerSecond{50e9}, Seconds{5e-6}, 1.0};
    network.nccl.generation = hardware::GpuGeneration::blackwell;
    return network;
}

NetworkSpec without_switches(const Case& c) {
    NetworkSpec network = behind_switches(c, c.link * static_cast<double>(c.domain - 1));
    network.dimensions.push_back(plain_dimension(DimensionKind::fully_connected, c.domain, c.link, 1));
    network.dimensions.push_back(plain_dimension(DimensionKind::switched, 0, 50, 2.5));
    return network;
}

Seconds time_of(const std::string& model, const NetworkSpec& network, CollectiveKind kind, const Case& c) {
    const auto made = network_models().find(model)(network);
    return made->collective(Collective{.kind = kind, .axes = MeshAxis::data, .size = Bytes{c.size}},
                            c.mesh());
}

/// Time in which the links between the members carry what each of them has to send.
Seconds least(CollectiveKind kind, const Case& c) {
    const double twice = kind == CollectiveKind::all_reduce ? 2.0 : 1.0;
    return Seconds{twice * c.size / static_cast<double>(c.members) / (c.link * 1e9)};
}

/// Models of two levels: as behind a switch that has a port of as many links as there are other members.
TEST(DirectLinks, give_a_group_what_a_switch_of_its_links_would) {
    for (const Case& c : cases()) {
        const NetworkSpec direct = without_switches(c);
        const NetworkSpec switched = behind_switches(c, c.link * static_cast<double>(c.members - 1));
        for (const char* model : {"latency_bandwidth", "nccl", "calibrated"}) {
            for (const CollectiveKind kind : kinds)
                EXPECT_SOFT_EQ(time_of(model, switched, kind, c), time_of(model, direct, kind, c))
                    << model << ' ' << graph::name(kind) << ", " << c.text();
        }
    }
}

/// ASTRA-sim's GB is 2^30 bytes.
TEST(DirectLinks, let_no_group_be_faster_than_they_are) {
    for (const Case& c : cases()) {
        for (const auto& row : network_models().rows()) {
            const double unit = row.name == "astra_sim" ? 1073741824e-9 : 1.0;
            for (const CollectiveKind kind : kinds)
                EXPECT_GE(time_of(row.name, without_switches(c), kind, c), least(kind, c) * (0.999999 / unit))
                    << row.name << ' ' << graph::name(kind) << ", " << c.text();
        }
    }
}

/// From where links alone decide, models without a library of their own agree, whatever joins the domains.
TEST(DirectLinks, are_the_same_in_models_of_links) {
    for (Case c : cases()) {
        c.size = 1e12;
        NetworkSpec network = without_switches(c);
        for (const CollectiveKind kind : kinds) {
            for (const char* model : {"latency_bandwidth", "multi_dim", "flow"})
                EXPECT_NEAR(time_of(model, network, kind, c) / least(kind, c), 1.0, 0.001)
                    << model << ' ' << graph::name(kind) << ", " << c.text();
            for (const TopologyKind topology :
                 {TopologyKind::two_level, TopologyKind::fat_tree, TopologyKind::rail}) {
                network.topology.kind = topology;
                EXPECT_NEAR(time_of("flow", network, kind, c) / least(kind, c), 1.0, 0.001)
                    << graph::name(kind) << ", topology " << static_cast<int>(topology) << ", " << c.text();
            }
            network.topology.kind = TopologyKind::automatic;
        }
    }
}

/// Two neighbouring stages of a domain have one link between them.
TEST(DirectLinks, carry_a_message_over_one_of_them) {
    for (Case c : cases()) {
        if (c.members != c.domain) continue;
        c.size = 1e12;
        const Mesh stages = Mesh::dense(1, 1, c.domain / 2, 2);
        const auto time_of_message = [&](const std::string& model, const NetworkSpec& network) {
            return network_models().find(model)(network)->transfer(Bytes{c.size}, stages, 0, 1);
        };
        for (const char* model : {"latency_bandwidth", "multi_dim", "flow"})
            EXPECT_NEAR(time_of_message(model, without_switches(c)) / Seconds{c.size / (c.link * 1e9)}, 1.0,
                        0.001)
                << model << ", " << c.text();
        for (const char* model : {"nccl", "calibrated"})
            EXPECT_SOFT_EQ(time_of_message(model, behind_switches(c, c.link)),
                           time_of_message(model, without_switches(c)))
                << model << ", " << c.text();
    }
}

}  // namespace
}  // namespace dse::netsim
