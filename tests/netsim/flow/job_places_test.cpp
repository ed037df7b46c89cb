#include "netsim/flow/job_places.hpp"

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim::flow {
namespace {

hardware::NetworkSpec with_jobs(std::int64_t jobs, hardware::Placement placement) {
    hardware::NetworkSpec network = test::small_network(hardware::TopologyKind::fat_tree);
    network.topology.jobs = jobs;
    network.topology.placement = placement;
    return network;
}

TEST(JobPlaces, EveryDeviceIsOneRankOfOneJob) {
    for (const auto placement : {hardware::Placement::packed, hardware::Placement::interleaved}) {
        const JobPlaces places{with_jobs(3, placement), 8};
        EXPECT_EQ(places.devices(), 24);
        std::set<std::int64_t> devices;
        for (std::int64_t job = 0; job < 3; ++job) {
            for (std::int64_t rank = 0; rank < 8; ++rank) devices.insert(places.device(job, rank));
        }
        EXPECT_EQ(devices.size(), 24U);
        EXPECT_EQ(*devices.begin(), 0);
        EXPECT_EQ(*devices.rbegin(), 23);
    }
}

TEST(JobPlaces, DomainsTakeTurns) {
    JobPlaces packed{with_jobs(2, hardware::Placement::packed), 8};
    EXPECT_EQ(packed.device(1, 0), 8);
    JobPlaces interleaved{with_jobs(2, hardware::Placement::interleaved), 8};
    const auto placed = interleaved.place(1, std::array<std::int64_t, 3>{0, 3, 4});
    EXPECT_EQ(std::vector<std::int64_t>(placed.begin(), placed.end()), (std::vector<std::int64_t>{4, 7, 12}));
}

TEST(JobPlaces, RefusesWhatItCannotPlace) {
    EXPECT_THROW((JobPlaces{with_jobs(2, hardware::Placement::interleaved), 6}), ModelError);
    hardware::NetworkSpec grid = with_jobs(2, hardware::Placement::packed);
    grid.topology.kind = hardware::TopologyKind::dimensions;
    EXPECT_THROW((JobPlaces{grid, 8}), ModelError);
}

}  // namespace
}  // namespace dse::netsim::flow
