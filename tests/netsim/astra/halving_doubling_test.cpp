#include "netsim/astra/halving_doubling.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dse::netsim {
namespace {

using graph::CollectiveKind;

AstraPhase phase_of(CollectiveKind kind, std::int64_t bytes) {
    return {.kind = kind, .nodes = 8, .bytes = bytes};
}

struct Message {
    std::int64_t distance;
    std::int64_t bytes;
    friend bool operator==(const Message&, const Message&) = default;
};

std::vector<Message> messages(const AstraPhase& phase) {
    HalvingDoublingMessages generator{phase};
    std::vector<Message> all;
    for (std::int64_t i = 0; i < generator.count(); ++i, generator.advance()) {
        all.push_back({generator.distance(), generator.bytes()});
    }
    return all;
}

TEST(HalvingDoublingMessages, halve_outwards_and_double_back) {
    EXPECT_EQ(messages(phase_of(CollectiveKind::reduce_scatter, 800)),
              (std::vector<Message>{{1, 400}, {2, 200}, {4, 100}}));
    EXPECT_EQ(messages(phase_of(CollectiveKind::all_gather, 100)),
              (std::vector<Message>{{4, 100}, {2, 200}, {1, 400}}));
    EXPECT_EQ(messages(phase_of(CollectiveKind::all_reduce, 800)),
              (std::vector<Message>{{1, 400}, {2, 200}, {4, 100}, {4, 100}, {2, 200}, {1, 400}}));
}

TEST(HalvingDoublingMessages, what_is_cut_on_the_way_out_stays_cut) {
    // 815 / 8: 407, 203, 101; back 50 · 2 = 100, 200, 400.
    EXPECT_EQ(messages(phase_of(CollectiveKind::all_reduce, 815)),
              (std::vector<Message>{{1, 407}, {2, 203}, {4, 101}, {4, 100}, {2, 200}, {1, 400}}));
}

TEST(HalvingDoublingMessages, partners_are_each_others) {
    HalvingDoublingMessages generator{phase_of(CollectiveKind::reduce_scatter, 800)};
    for (std::int64_t i = 0; i < generator.count(); ++i, generator.advance()) {
        for (std::int64_t index = 0; index < 8; ++index) {
            EXPECT_EQ(generator.partner(index), index ^ generator.distance());
        }
    }
}

}  // namespace
}  // namespace dse::netsim
