#include "sim/replay/remote_memory.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"

namespace dse::sim::replay {
namespace {

using netsim::AstraMemory;

TEST(RemoteMemory, queues_where_it_is_shared) {
    netsim::AstraEvents events{3};
    // Two ranks a node; 5 ticks and 2 bytes a tick.
    RemoteMemory memory{{AstraMemory::Kind::per_node, 5, 2.0, 2, 2}, events};
    std::vector<netsim::Ticks> served(3);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        memory.request(static_cast<std::int64_t>(rank), rank, 100,
                       [&, rank] { served[rank] = events.now(); });
    }
    events.run();
    EXPECT_EQ(served, (std::vector<netsim::Ticks>{55, 110, 55}));
}

TEST(RemoteMemory, knows_no_more_nodes_than_it_has) {
    netsim::AstraEvents events{9};
    RemoteMemory memory{{AstraMemory::Kind::per_node, 5, 2.0, 2, 2}, events};
    EXPECT_THROW(memory.request(4, 4, 100, [] {}), InputError);
}

}  // namespace
}  // namespace dse::sim::replay
