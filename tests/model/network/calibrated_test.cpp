#include "dse/model/network/calibrated.hpp"

#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_message.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::Collective;
using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;

/// Domains of eight H100, a NIC of 50 GB/s each.
hardware::NetworkSpec hopper_domains() {
    hardware::NetworkSpec network;
    network.scale_up.link.bandwidth = BytesPerSecond{450e9};
    network.scale_up.domain = 8;
    network.scale_out.link.bandwidth = BytesPerSecond{50e9};
    network.collective.message_launch = Seconds{6e-6};
    return network;
}

Seconds time_on(const hardware::NetworkSpec& network, CollectiveKind kind, double bytes, std::int64_t ranks) {
    Mesh mesh;
    mesh.size[static_cast<std::size_t>(MeshAxis::data)] = ranks;
    Collective collective;
    collective.kind = kind;
    collective.axes = graph::AxisSet{MeshAxis::data};
    collective.size = Bytes{bytes};
    return Calibrated(network).collective(collective, mesh);
}

double microseconds(CollectiveKind kind, double bytes, std::int64_t ranks) {
    return time_on(hopper_domains(), kind, bytes, ranks).value() * 1e6;
}

/// 64 KiB over eight: 4.908 + 7 · 1.75 us and 2 · 7/8 of it at 0.306 · 450 GB/s, 17.99 us; the long way takes
/// 36.4 + 0.3 = 36.6 us, which takes 1.4 % off it. Measured: 18.7 us on H100, 19.9 on H200 (NCCL 2.29.2,
/// half).
TEST(Calibrated, short_messages_take_the_short_way) {
    const double brief = 4.908 + 7 * 1.75 + 1.75 * 65536 / (0.306 * 450e3);
    const double bulk = 24.83 + 7 * 1.646 + 1.75 * 65536 / (0.988 * 450e3);
    const double both = std::pow(std::pow(brief, -4.0) + std::pow(bulk, -4.0), -0.25);
    EXPECT_NEAR(microseconds(CollectiveKind::all_reduce, 65536, 8), both, 1e-6);
    EXPECT_NEAR(both, 18.7, 0.06 * 18.7);
}

/// Measured in half: 1092.1 us on H100, 1052.6 us on H200.
TEST(Calibrated, long_messages_go_by_the_links) {
    EXPECT_NEAR(microseconds(CollectiveKind::all_reduce, 268435456, 8), 1075, 40);
    const double once = microseconds(CollectiveKind::all_gather, 1e9, 8);
    EXPECT_NEAR(microseconds(CollectiveKind::all_gather, 2e9, 8) / once, 2.0, 0.03);
}

/// All-reduces of 4 GiB over eight H200: 475 GB/s of bus bandwidth (nccl-tests, issue 272), 15.8 ms.
TEST(Calibrated, beyond_the_largest_measured_vector_bytes_take_as_long_as_nccls) {
    hardware::NetworkSpec network = hopper_domains();
    network.scale_up.reduction.efficiency = 0.9;
    network.nccl.call_time = Seconds{19e-6};
    constexpr double largest = 512.0 * 1048576.0;
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                      CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
        const auto nccl = [&](double bytes) { return Nccl(network).collective(kind, Bytes{bytes}, {8, 1}); };
        const Seconds known = time_on(network, kind, largest, 8);
        EXPECT_SOFT_EQ(known + nccl(8 * largest) - nccl(largest), time_on(network, kind, 8 * largest, 8));
        EXPECT_NEAR(time_on(network, kind, largest + 1, 8) / known, 1.0, 1e-6) << graph::name(kind);
    }
    EXPECT_NEAR(time_on(network, CollectiveKind::all_reduce, 8 * largest, 8).value(), 15.8e-3,
                0.05 * 15.8e-3);
}

TEST(Calibrated, more_bytes_and_members_take_longer) {
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                      CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
        double before = 0.0;
        for (int doublings = 9; doublings < 35; ++doublings) {
            const double bytes = std::ldexp(1.0, doublings);
            const double now = microseconds(kind, bytes, 8);
            EXPECT_GT(now, before) << graph::name(kind) << ' ' << bytes;
            before = now;
        }
        EXPECT_GT(microseconds(kind, 4096, 8), microseconds(kind, 4096, 2));
    }
}

/// Measured on Hopper: 15.6 and 19.0 us of all-reduce over eight, 10.4 and 13.0 us of all-gather, and 5.3 us
/// of the short all-gather between two.
TEST(Calibrated, an_unmeasured_generation_follows_its_short_all_gather) {
    hardware::NetworkSpec network = hopper_domains();
    network.nccl.short_all_gather = Seconds{5.3e-6};
    const auto now = [&](CollectiveKind kind, double bytes) {
        return time_on(network, kind, bytes, 8).value() * 1e6;
    };
    EXPECT_NEAR(now(CollectiveKind::all_reduce, 1024), 15.6, 0.2 * 15.6);
    EXPECT_NEAR(now(CollectiveKind::all_reduce, 16384), 19.0, 0.2 * 19.0);
    EXPECT_NEAR(now(CollectiveKind::all_gather, 1024), 10.4, 0.2 * 10.4);
    EXPECT_NEAR(now(CollectiveKind::all_gather, 32768), 13.0, 0.2 * 13.0);
    const double before = now(CollectiveKind::all_reduce, 1024);
    network.nccl.short_all_gather = Seconds{10.6e-6};
    EXPECT_NEAR(now(CollectiveKind::all_reduce, 1024) / before, 2.0, 0.02);
    // It says nothing of PCIe.
    network.scale_up.link.bandwidth = BytesPerSecond{32e9};
    EXPECT_SOFT_EQ(Nccl(network).collective(CollectiveKind::all_reduce, Bytes{1e6}, {8, 1}),
                   time_on(network, CollectiveKind::all_reduce, 1e6, 8));
}

/// XLA's single all-gather of 16 KiB over eight H100: 30.8 us as measured (openxla/xla,
/// collective_interpolator_data.h), 11.5 us of them in the kernel.
TEST(Calibrated, a_single_call_takes_its_own_time_besides) {
    hardware::NetworkSpec network = hopper_domains();
    const Seconds in_graph = time_on(network, CollectiveKind::all_gather, 16384, 8);
    network.nccl.call_time = Seconds{19e-6};
    const Seconds alone = time_on(network, CollectiveKind::all_gather, 16384, 8);
    EXPECT_SOFT_EQ(in_graph + Seconds{19e-6}, alone);
    EXPECT_NEAR(alone.value() * 1e6, 30.8, 1.0);
    // Whatever is NCCL's own estimate has the overhead of its model.
    EXPECT_SOFT_EQ(time_on(hopper_domains(), CollectiveKind::all_reduce, 1e6, 16),
                   time_on(network, CollectiveKind::all_reduce, 1e6, 16));
}

TEST(Calibrated, what_was_not_measured_is_nccls) {
    const Nccl nccl{hopper_domains()};
    EXPECT_SOFT_EQ(nccl.collective(CollectiveKind::all_reduce, Bytes{1e6}, {8, 2}),
                   time_on(hopper_domains(), CollectiveKind::all_reduce, 1e6, 16));
    EXPECT_SOFT_EQ(nccl.collective(CollectiveKind::broadcast, Bytes{1e6}, {8, 1}),
                   time_on(hopper_domains(), CollectiveKind::broadcast, 1e6, 8));
    hardware::NetworkSpec pcie = hopper_domains();
    pcie.scale_up.link.bandwidth = BytesPerSecond{32e9};
    EXPECT_SOFT_EQ(Nccl(pcie).collective(CollectiveKind::all_reduce, Bytes{1e6}, {8, 1}),
                   time_on(pcie, CollectiveKind::all_reduce, 1e6, 8));
    EXPECT_EQ(Seconds{}, time_on(hopper_domains(), CollectiveKind::all_reduce, 1e6, 1));
}

TEST(Calibrated, a_list_of_ranks_is_the_group_that_it_is) {
    const Calibrated model{hopper_domains()};
    const Mesh mesh = Mesh::dense(2, 1, 2, 2);
    const std::array<std::int64_t, 2> pair{1, 3};
    const Bytes size{65536};
    EXPECT_EQ(model.time({CollectiveKind::all_reduce, size, RankList{pair, 8}}),
              model.time({CollectiveKind::all_reduce, size, AxisGroups{&mesh, MeshAxis::data}}));
    const std::array<std::int64_t, 3> three{0, 1, 3};
    EXPECT_THAT(test::error_message<ModelError>([&] {
                    static_cast<void>(model.time({CollectiveKind::all_reduce, size, RankList{three, 8}}));
                }),
                ::testing::HasSubstr("calibrated needs"));
}

}  // namespace
}  // namespace dse::model
