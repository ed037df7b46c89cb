#include "netsim/scheduled_network.hpp"

#include <array>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "dse/model/network/latency_bandwidth.hpp"
#include "dse/netsim/astra_sim.hpp"
#include "dse/netsim/registry.hpp"
#include "model/devices.hpp"
#include "support/error_message.hpp"
#include "support/schedule_files.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using graph::MeshAxis;
using testing::HasSubstr;

/// Eight devices of one domain, with a ring of eight from trace files, written for 8 MiB.
class ScheduledNetworkTest : public testing::Test {
  protected:
    ScheduledNetworkTest() {
        network_ = model::catalogue_cluster("h100_ndr400").network;
        network_.collective.schedules = {{hardware::ScheduledCollective::all_reduce,
                                          write_schedule(folder_, "ring", test::ring_bytes(8, 8 << 20, 0)),
                                          Bytes{8.0 * 1048576.0}}};
    }
    static graph::Mesh mesh_of(std::int64_t ranks) {
        graph::Mesh mesh;
        mesh.set_degree(MeshAxis::data, ranks);
        return mesh;
    }
    static graph::Collective all_reduce(double bytes) {
        return {CollectiveKind::all_reduce, MeshAxis::data, Bytes{bytes}};
    }
    [[nodiscard]] std::unique_ptr<model::NetworkModel> make(const char* name) const {
        return network_models().find(name)(network_);
    }
    [[nodiscard]] std::unique_ptr<model::NetworkModel> plain(const char* name) const {
        hardware::NetworkSpec network = network_;
        network.collective.schedules.clear();
        return network_models().find(name)(network);
    }
    /// Its time, or why there is none.
    static std::string answer(const model::NetworkModel& network, const model::Communication& what) {
        try {
            return fmt::format("{}", network.time(what).value());
        } catch (const ModelError& error) {
            return error.what();
        }
    }
    static constexpr double mib = 1048576.0;

    test::TemporaryFolder folder_;
    hardware::NetworkSpec network_;
};

TEST_F(ScheduledNetworkTest, a_ring_takes_fourteen_messages_and_one_launch) {
    hardware::NetworkSpec bare = network_;
    bare.collective.schedules.clear();
    bare.collective.message_launch = Seconds{};
    const model::LatencyBandwidth messages{bare};
    const auto network = make("latency_bandwidth");
    for (const double size : {8.0 * mib, 64.0 * mib}) {
        const double message = messages.transfer(Bytes{size / 8.0}, mesh_of(8), 0, 0).value();
        EXPECT_EQ(message, 0.0) << "to itself";
        graph::Mesh line;
        line.set_degree(MeshAxis::pipeline, 8);
        const double step = messages.transfer(Bytes{size / 8.0}, line, 0, 1).value();
        EXPECT_NEAR(network->collective(all_reduce(size), mesh_of(8)).value(),
                    bare.collective.launch.value() + 14.0 * step, 14 * 0x1p-40);
    }
}

TEST_F(ScheduledNetworkTest, other_groups_and_collectives_are_the_models_own) {
    for (const auto& row : network_models().rows()) {
        if (row.name == "flow") continue;
        const auto own = plain(row.name.c_str());
        const auto network = make(row.name.c_str());
        EXPECT_EQ(network->collective(all_reduce(mib), mesh_of(4)),
                  own->collective(all_reduce(mib), mesh_of(4)));
        graph::Collective gather = all_reduce(mib);
        gather.kind = CollectiveKind::all_gather;
        EXPECT_EQ(network->collective(gather, mesh_of(8)), own->collective(gather, mesh_of(8)));
        EXPECT_NE(network->collective(all_reduce(mib), mesh_of(8)),
                  own->collective(all_reduce(mib), mesh_of(8)));
        graph::Mesh line;
        line.set_degree(MeshAxis::pipeline, 2);
        EXPECT_EQ(network->transfer(Bytes{mib}, line, 0, 1), own->transfer(Bytes{mib}, line, 0, 1))
            << "its messages keep their launch";
    }
}

TEST_F(ScheduledNetworkTest, what_no_group_runs_changes_no_answer) {
    network_.collective.schedules[0].prefix =
        write_schedule(folder_, "seven", test::ring_bytes(7, 7 << 20, 0));
    std::mt19937_64 random{5};
    for (const auto& row : network_models().rows()) {
        const auto own = plain(row.name.c_str());
        const auto network = make(row.name.c_str());
        EXPECT_EQ(network->traits(), own->traits()) << row.name;
        for (int i = 0; i < 50; ++i) {
            graph::Mesh mesh;
            for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::data, MeshAxis::pipeline})
                mesh.set_degree(axis, std::int64_t{1} << random() % 3);
            const std::int64_t last = mesh.degree(MeshAxis::pipeline) - 1;
            const Bytes size{static_cast<double>(1 + random() % (1U << 26U))};
            const auto kind = static_cast<CollectiveKind>(random() % 5);
            const std::array<std::int64_t, 3> some{0, mesh.ranks() / 2, mesh.ranks() - 1};
            const std::size_t listed = mesh.ranks() > 2 ? 3 : 1;
            for (const model::Communication& what :
                 {model::Communication{kind, size, model::AxisGroups{&mesh, MeshAxis::tensor}},
                  model::Communication{kind, size, model::AxisGroups{&mesh, MeshAxis::data}},
                  model::Communication{CollectiveKind::all_reduce, size, model::StagePairs{&mesh, 0, last}},
                  model::Communication{std::nullopt, size, model::StagePairs{&mesh, last, 0}},
                  model::Communication{kind, size,
                                       model::RankList{std::span{some}.first(listed), mesh.ranks()}}}) {
                EXPECT_EQ(answer(*network, what), answer(*own, what)) << row.name;
                EXPECT_EQ(network->alternatives(what).size(), own->alternatives(what).size());
            }
            EXPECT_EQ(network->play(mesh) == nullptr, own->play(mesh) == nullptr);
        }
    }
}

TEST_F(ScheduledNetworkTest, runs_a_group_without_a_pattern) {
    network_.collective.schedules[0].prefix =
        test::write_schedule(folder_, "three", test::ring_bytes(3, 3 << 20, 0));
    const std::array<std::int64_t, 3> ranks{0, 1, 3};
    const model::Communication what{CollectiveKind::all_reduce, Bytes{mib}, model::RankList{ranks, 8}};
    for (const auto& row : network_models().rows())
        EXPECT_GT(make(row.name.c_str())->time(what), Seconds{}) << row.name;
}

TEST_F(ScheduledNetworkTest, is_never_faster_with_more_to_send) {
    for (const auto& row : network_models().rows()) {
        const auto network = make(row.name.c_str());
        double before = 0.0;
        for (const double size : {mib, 2 * mib, 8 * mib, 100 * mib, 1000 * mib}) {
            const double time = network->collective(all_reduce(size), mesh_of(8)).value();
            EXPECT_GE(time, before) << row.name << " of " << size;
            EXPECT_EQ(network->collective(all_reduce(size), mesh_of(8)).value(), time) << "played once";
            before = time;
        }
    }
}

/// As its player says of the schedule's own size.
TEST_F(ScheduledNetworkTest, under_astra_sim_it_is_what_astra_sim_plays) {
    const AstraSim own{network_};
    AstraSystem system = own.system(8);
    system.splits = 1;
    const auto network = make("astra_sim");
    // Fourteen messages of 1 MiB over two links of a switch, and seven sums of a tick.
    const Ticks message = system.delay(0, 1, 1 << 20);
    EXPECT_NEAR(network->collective(all_reduce(8 * mib), mesh_of(8)).value(),
                static_cast<double>(14 * message + 7) * 1e-9, 1e-15);
}

TEST_F(ScheduledNetworkTest, names_what_it_runs) {
    const auto network = make("nccl");
    const std::vector<model::Alternative> ways =
        network->alternatives(model::communication(all_reduce(mib), mesh_of(8)));
    ASSERT_FALSE(ways.empty());
    EXPECT_THAT(ways.front().name, HasSubstr("schedule "));
    EXPECT_EQ(ways.front().time, network->collective(all_reduce(mib), mesh_of(8)));
    EXPECT_EQ(ways.size(),
              plain("nccl")->alternatives(model::communication(all_reduce(mib), mesh_of(8))).size() + 1);
}

TEST_F(ScheduledNetworkTest, refuses_what_it_cannot_play) {
    network_.topology.sharing = hardware::Sharing::everything;
    EXPECT_THROW(static_cast<void>(make("flow")), ModelError);
    network_.topology.sharing = {};
    network_.collective.schedules[0].prefix = folder_.path("missing");
    EXPECT_THAT(test::error_message([&] { static_cast<void>(make("nccl")); }), HasSubstr("missing"));
    test::ScheduleBytes waiting{test::TraceBytes{}.receive(0, 1, 5, 0).send(1, 1, 5, 0, {0}),
                                test::TraceBytes{}.receive(0, 0, 5, 0).send(1, 0, 5, 0, {0})};
    network_.collective.schedules[0].prefix = write_schedule(folder_, "waiting", waiting);
    EXPECT_THAT(test::error_message([&] { static_cast<void>(make("nccl")); }),
                HasSubstr("2 of 2 members wait for ever"));
}

}  // namespace
}  // namespace dse::netsim
