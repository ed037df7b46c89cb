#include "dse/netsim/astra/bus.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::netsim {
namespace {

using Way = AstraBundle::Way;

/// L 50, o 5, g 0, G 0.5. A bundle of 101 bytes takes 5 + 50 + 50 + 5 = 110 ticks over the bus; between
/// processor and memory, at 0.0038 a byte, 5 + 0.38 + 50 + 5, whole ones: 60. Adding it: 1 for every 100
/// bytes, and 50.
class AstraBusTest : public testing::Test {
  protected:
    /// \return when it is done
    Ticks send(const AstraBundle& bundle) {
        Ticks end = -1;
        bus_.send(bundle, [&] { end = events_.now(); });
        events_.run();
        return end;
    }
    AstraEvents events_{1};
    AstraBus bus_{
        {.latency = 50, .overhead = 5, .gap = 0, .per_byte = 0.5, .local_reduction = 1}, events_, 0};
};

TEST_F(AstraBusTest, to_the_network_it_is_read_first) {
    EXPECT_EQ(send({Way::to_network, 101, false, false}), 60 + 110);
}

TEST_F(AstraBusTest, from_the_network_it_is_written_in_the_end) {
    EXPECT_EQ(send({Way::from_network, 101, false, false}), 110 + 60);
}

TEST_F(AstraBusTest, to_be_added_it_goes_to_the_memory_and_back) {
    // Over the bus, to the memory and back, the sum, and its result to the memory.
    EXPECT_EQ(send({Way::from_network, 101, true, false}), 110 + 2 * 60 + 51 + 60);
}

TEST_F(AstraBusTest, to_be_sent_back_it_crosses_the_bus_twice) {
    EXPECT_EQ(send({Way::from_network, 101, true, true}), 110 + 2 * 60 + 51 + 2 * 60 + 110);
    EXPECT_EQ(events_.now(), 511);
}

TEST_F(AstraBusTest, bundles_follow_one_another) {
    std::vector<Ticks> ends;
    for (int i = 0; i < 3; ++i)
        bus_.send({Way::from_network, 101, false, false}, [&] { ends.push_back(events_.now()); });
    events_.run();
    // An end may send again once its bytes are on the bus: after 5 + 50 ticks, but it starts with an overhead
    // of its own only where it has not just sent: 55 apart. Memory keeps up.
    EXPECT_EQ(ends, (std::vector<Ticks>{170, 170 + 55, 170 + 2 * 55}));
}

TEST_F(AstraBusTest, counts_bytes_in_31_bits) {
    EXPECT_THROW(bus_.send({Way::to_network, std::int64_t{1} << 31, false, false}, [] {}), ModelError);
}

}  // namespace
}  // namespace dse::netsim
