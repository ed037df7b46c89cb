#include "dse/netsim/schedule/play_schedule.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "dse/netsim/schedule/port_play.hpp"
#include "support/schedule_files.hpp"

namespace dse::netsim {
namespace {

using test::ScheduleBytes;
using test::TraceBytes;

/// 2^-20 s a message and as much a byte beyond the first: all at the ports but the message itself.
class Line final : public model::NetworkModel {
  public:
    static constexpr double tick = 0x1p-20;
    [[nodiscard]] Seconds time(const model::Communication& what) const override {
        return Seconds{tick * what.size.value()};
    }
};

/// In ticks of the line.
double play(const ScheduleBytes& members, double scale, std::size_t groups = 1) {
    const test::TemporaryFolder folder;
    const Schedule schedule = read_schedule(write_schedule(folder, "s", members));
    std::vector<std::vector<std::int64_t>> ranks(groups);
    for (std::size_t g = 0; g < groups; ++g) {
        ranks[g].resize(members.size());
        std::iota(ranks[g].begin(), ranks[g].end(), static_cast<std::int64_t>(g * members.size()));
    }
    const Line line;
    PortPlay ports{line, static_cast<std::int64_t>(groups * members.size())};
    return play_schedule(schedule, scale, ranks, ports).value() / Line::tick;
}

TEST(PlaySchedule, a_ring_is_its_steps_one_after_the_other) {
    // Six messages of 100 bytes, each a tick a byte; sums take nothing where nothing was recorded.
    EXPECT_EQ(play(test::ring_bytes(4, 400, 0), 1.0), 600.0);
    EXPECT_EQ(play(test::ring_bytes(4, 400, 0), 2.5), 1500.0) << "messages grow with the collective";
    EXPECT_EQ(play(test::ring_bytes(4, 400, 0), 1.0, 3), 600.0) << "groups have ports of their own";
    // And three sums of 7 µs, to the quantum of 2^-40 s.
    EXPECT_NEAR(play(test::ring_bytes(4, 400, 7), 1.0), 600.0 + 21e-6 / Line::tick, 1e-5);
}

TEST(PlaySchedule, a_direct_exchange_shares_the_ports) {
    // Three messages out of and into each device, one after the other, twice: 99 ticks each at the ports, and
    // one on its way.
    EXPECT_EQ(play(test::direct_bytes(4, 400, 0), 1.0), 2 * (3 * 99 + 1));
}

TEST(PlaySchedule, a_tree_waits_for_both_children) {
    // Of three: two messages of 50 into the root, one after the other; two down.
    EXPECT_EQ(play(test::tree_bytes(3, 50, 0), 1.0), 2 * (2 * 49 + 1));
}

TEST(PlaySchedule, receives_before_and_after_the_message) {
    // Awaited at once: at 10 ticks. Awaited after 20 µs (20.97 ticks): then.
    EXPECT_EQ(play({TraceBytes{}.send(0, 1, 10, 0), TraceBytes{}.receive(0, 0, 10, 0)}, 1.0), 10.0);
    const double late =
        play({TraceBytes{}.send(0, 1, 10, 0), TraceBytes{}.compute(0, 20).receive(1, 0, 10, 0, {0})}, 1.0);
    EXPECT_NEAR(late, 20e-6 / Line::tick, 1e-5);
}

}  // namespace
}  // namespace dse::netsim
