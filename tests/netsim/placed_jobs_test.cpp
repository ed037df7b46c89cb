#include "dse/netsim/placed_jobs.hpp"

#include <array>
#include <set>
#include <span>

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim {
namespace {

using hardware::Placement;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PlaceJobs, PackedJobsShareADomainOnlyIfTheyFitIntoTheRestOfIt) {
    const hardware::NetworkSpec network = test::small_network();  // domains of 4
    const PlacedJobs halves = place_jobs(network, std::array<std::int64_t, 2>{2, 2}, Placement::packed);
    EXPECT_THAT(halves.devices, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
    EXPECT_EQ(halves.machine, 4);

    const PlacedJobs uneven = place_jobs(network, std::array<std::int64_t, 3>{2, 6, 1}, Placement::packed);
    EXPECT_THAT(uneven.devices,
                ElementsAre(ElementsAre(0, 1), ElementsAre(4, 5, 6, 7, 8, 9), ElementsAre(10)));
    EXPECT_EQ(uneven.machine, 12) << "whole domains";
}

TEST(PlaceJobs, InterleavedJobsTakeDomainsInTurn) {
    const hardware::NetworkSpec network = test::small_network();
    const PlacedJobs placed = place_jobs(network, std::array<std::int64_t, 2>{10, 4}, Placement::interleaved);
    EXPECT_THAT(placed.devices[0], ElementsAre(0, 1, 2, 3, 8, 9, 10, 11, 12, 13));
    EXPECT_THAT(placed.devices[1], ElementsAre(4, 5, 6, 7));
    EXPECT_EQ(placed.machine, 16);
}

TEST(PlaceJobs, AMachineOfDimensionsHasSlices) {
    hardware::NetworkSpec network = test::small_network(hardware::TopologyKind::dimensions);
    network.dimensions.push_back(test::dimension(hardware::DimensionKind::ring, 2));
    network.dimensions.push_back(test::dimension(hardware::DimensionKind::ring, 3));
    network.dimensions.push_back(test::dimension(hardware::DimensionKind::ring, 2));
    const PlacedJobs placed = place_jobs(network, std::array<std::int64_t, 2>{5, 6}, Placement::packed);
    EXPECT_EQ(placed.devices[1].front(), 6) << "a slice is 2 x 3";
    EXPECT_EQ(placed.machine, 12);
    try {
        place_jobs(network, std::array<std::int64_t, 3>{5, 6, 1}, Placement::packed);
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("18 devices of a machine of 12"));
    }
}

/// Two small jobs in turn span two domains, of which each gets the segment.
TEST(PlaceJobs, InterleavedJobsTakeSegments) {
    hardware::NetworkSpec network = test::small_network();
    network.scale_up.domain = 72;
    network.scale_up.segment = 64;
    const std::array<std::int64_t, 2> sizes{2, 3};
    const PlacedJobs placed = place_jobs(network, sizes, Placement::interleaved);
    EXPECT_THAT(placed.devices, ElementsAre(ElementsAre(0, 1), ElementsAre(64, 65, 66)));
    EXPECT_EQ(placed.machine, 128);
    EXPECT_EQ(place_jobs(network, sizes, Placement::packed).machine, 72) << "one domain holds both";
    EXPECT_EQ(place_jobs(network, std::array<std::int64_t, 1>{5}, Placement::interleaved).machine, 72);
}

TEST(PlaceJobs, AnOutermostDimensionIsAsLongAsNeeded) {
    hardware::NetworkSpec network = test::small_network(hardware::TopologyKind::dimensions);
    network.dimensions.push_back(test::dimension(hardware::DimensionKind::ring, 6));
    network.dimensions.push_back(test::dimension(hardware::DimensionKind::ring, 0));
    const PlacedJobs placed = place_jobs(network, std::array<std::int64_t, 2>{4, 7}, Placement::packed);
    EXPECT_THAT(placed.devices[1], ElementsAre(6, 7, 8, 9, 10, 11, 12));
    EXPECT_EQ(placed.machine, 18);
}

TEST(PlaceJobs, JobsOfSeveralDomainsTakeSegments) {
    hardware::NetworkSpec network = test::small_network();
    network.scale_up.domain = 8;
    network.scale_up.segment = 4;
    const std::array<std::int64_t, 2> sizes{3, 3};
    const PlacedJobs packed = place_jobs(network, sizes, Placement::packed);
    EXPECT_THAT(packed.devices[1], ElementsAre(3, 4, 5)) << "in a single domain";
    EXPECT_EQ(packed.machine, 8);
    const PlacedJobs interleaved = place_jobs(network, sizes, Placement::interleaved);
    EXPECT_THAT(interleaved.devices[1], ElementsAre(4, 5, 6));
    EXPECT_EQ(network.scale_up.occupied(interleaved.machine), 4);
}

/// No device has two jobs, on domains of any size, also where jobs leave a part of a domain free.
void expect_apart(const hardware::NetworkSpec& network, std::span<const std::int64_t> sizes,
                  Placement placement) {
    const PlacedJobs placed = place_jobs(network, sizes, placement);
    std::set<std::int64_t> all;
    for (std::size_t job = 0; job < sizes.size(); ++job) {
        EXPECT_EQ(std::ssize(placed.devices[job]), sizes[job]);
        for (const std::int64_t device : placed.devices[job]) {
            EXPECT_TRUE(all.insert(device).second) << device;
            EXPECT_LT(device, placed.machine);
        }
    }
}

TEST(PlaceJobs, DevicesBelongToOneJob) {
    for (const std::int64_t domain : {1, 3, 4, 8, 72}) {
        for (const std::int64_t segment : {0, 1, 6, 64}) {
            hardware::NetworkSpec network = test::small_network();
            network.scale_up.domain = domain;
            network.scale_up.segment = segment;
            for (const Placement placement : {Placement::packed, Placement::interleaved}) {
                expect_apart(network, std::array<std::int64_t, 4>{1, 24, 72, 9}, placement);
                expect_apart(network, std::array<std::int64_t, 2>{1, 2}, placement);
            }
        }
    }
}

/// A ring of five devices: no domains, whatever scale_up says.
TEST(PlaceJobs, WiresHaveNoDomains) {
    hardware::NetworkSpec network = test::small_network(hardware::TopologyKind::wires);
    for (int d = 0; d < 5; ++d)
        network.topology.wires.push_back({std::to_string(d), std::to_string((d + 1) % 5), {}});
    const std::array<std::int64_t, 2> sizes{3, 2};
    const PlacedJobs packed = place_jobs(network, sizes, Placement::packed);
    EXPECT_THAT(packed.devices, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4)));
    EXPECT_EQ(packed.machine, 5);
    const PlacedJobs in_turn = place_jobs(network, sizes, Placement::interleaved);
    EXPECT_THAT(in_turn.devices, ElementsAre(ElementsAre(0, 2, 4), ElementsAre(1, 3)));
    EXPECT_EQ(in_turn.machine, 5);
    try {
        place_jobs(network, std::array<std::int64_t, 2>{3, 3}, Placement::packed);
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("take 6 devices, and topology.wires has 5"));
    }
}

}  // namespace
}  // namespace dse::netsim
