#include "dse/netsim/schedule/port_play.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"

namespace dse::netsim {
namespace {

using testing::ElementsAre;

/// A message takes 1 s, and 1/8 s a byte; to device 2 it is 2 s longer on its way.
class Line final : public model::NetworkModel {
  public:
    [[nodiscard]] Seconds time(const model::Communication& what) const override {
        const std::int64_t to = std::get<model::StagePairs>(what.devices).to;
        return Seconds{(to == 2 ? 2.875 : 0.875) + (what.size.value() / 8.0)};
    }
};

/// When messages arrive that all begin at once, by number.
std::vector<double> arrivals(const std::vector<std::array<std::int64_t, 2>>& ends, Bytes size) {
    const Line line;
    PortPlay play{line, 4};
    std::vector<double> times(ends.size());
    for (const auto& [from, to] : ends) play.begin(size, from, to, 1.0);
    for (std::size_t left = ends.size(); left > 0;) {
        const double now = play.next_time();
        for (const model::NetworkPlay::Number number : play.advance(now)) {
            times[number] = now;
            --left;
        }
    }
    return times;
}

TEST(PortPlay, one_message_takes_what_the_model_says) {
    EXPECT_THAT(arrivals({{0, 1}}, Bytes{17.0}), ElementsAre(3.0));
    EXPECT_THAT(arrivals({{0, 2}}, Bytes{17.0}), ElementsAre(5.0));
}

TEST(PortPlay, a_device_sends_one_at_a_time) {
    // Of 17 bytes 16 are at the ports for 2 s: the second leaves then, from both beside each other.
    EXPECT_THAT(arrivals({{0, 1}, {0, 3}, {1, 0}}, Bytes{17.0}), ElementsAre(3.0, 5.0, 3.0));
}

TEST(PortPlay, a_device_receives_one_at_a_time) {
    EXPECT_THAT(arrivals({{0, 3}, {1, 3}, {2, 3}}, Bytes{17.0}), ElementsAre(3.0, 5.0, 7.0));
}

TEST(PortPlay, ways_of_different_length_do_not_hold_each_other_up) {
    // Both leave one after the other; the first has further to go.
    EXPECT_THAT(arrivals({{0, 2}, {0, 1}}, Bytes{17.0}), ElementsAre(5.0, 5.0));
}

TEST(PortPlay, carries_no_collectives) {
    const Line line;
    PortPlay play{line, 4};
    EXPECT_THROW(play.begin(graph::Collective{}, {}, 1.0), ModelError);
    EXPECT_EQ(play.next_time(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace dse::netsim
