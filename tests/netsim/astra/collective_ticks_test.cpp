#include "dse/netsim/astra/collective_ticks.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/netsim/astra/player.hpp"
#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

Ticks played(const AstraSystem& system, const AstraPlan& plan, const std::vector<std::int64_t>& members) {
    return std::ranges::max(play_messages(system, AstraNetwork::unaware, plan, members));
}

TEST(AstraCollectiveTicks, closed_forms_are_the_play_of_every_message) {
    std::mt19937_64 random{7};
    AstraCollectiveTicks ticks;
    int compared = 0;
    for (int i = 0; i < 600; ++i) {
        const AstraSystem system = random_system(random, 3);
        const CollectiveKind kind = astra_kinds[random() % astra_kinds.size()];
        const auto bytes = static_cast<std::int64_t>(1000 + random() % 1000000);
        const AstraPlan plan = plan_all(system, kind, bytes);
        ASSERT_EQ(ticks.all(system, kind, bytes), played(system, plan, everybody(system)))
            << i << " " << graph::name(kind) << " " << bytes;
        ++compared;
    }
    EXPECT_EQ(compared, 600);
}

TEST(AstraCollectiveTicks, a_group_is_a_ring_whose_links_may_differ) {
    std::mt19937_64 random{11};
    AstraCollectiveTicks ticks;
    int unlike = 0;
    for (int i = 0; i < 400; ++i) {
        const AstraSystem system = random_system(random, 3);
        std::vector<std::int64_t> members = everybody(system);
        std::ranges::shuffle(members, random);
        const auto count = std::min<std::size_t>(members.size() - 1, 2 + random() % 6);
        if (count < 2) continue;
        members.resize(count);
        const CollectiveKind kind = astra_kinds[random() % astra_kinds.size()];
        const auto bytes = static_cast<std::int64_t>(1000 + random() % 1000000);
        try {
            const AstraPlan plan = plan_group(system, kind, bytes, static_cast<std::int64_t>(members.size()));
            ASSERT_EQ(ticks.group(system, kind, bytes, members), played(system, plan, members)) << i;
            unlike +=
                system.delay(members[0], members[1], 1) != system.delay(members[1], members[0], 1) ||
                        system.delay(members[0], members[1], 1) != system.delay(members.back(), members[0], 1)
                    ? 1
                    : 0;
        } catch (const ModelError&) {
            // Halving and doubling over a number that is no power of two.
        }
    }
    EXPECT_GT(unlike, 100);
}

TEST(AstraCollectiveTicks, an_even_group_needs_only_its_pattern) {
    std::mt19937_64 random{13};
    AstraCollectiveTicks ticks;
    int compared = 0;
    for (int i = 0; i < 600; ++i) {
        const AstraSystem system = random_system(random, 3);
        // Along the first dimension every `stride`-th device, and all of the dimensions beyond it.
        const std::int64_t size = system.all_dimensions[0].npus;
        const std::int64_t stride = 1 + static_cast<std::int64_t>(random() % 2);
        if (size % stride != 0 || size / stride < 2) continue;
        const bool further = random() % 2 == 0;
        std::vector<std::int64_t> members;
        for (std::int64_t rank = 0; rank < (further ? system.npus() : size); rank += stride) {
            members.push_back(rank);
        }
        if (static_cast<std::int64_t>(members.size()) == system.npus()) continue;
        const CollectiveKind kind = astra_kinds[random() % astra_kinds.size()];
        const auto bytes = static_cast<std::int64_t>(1000 + random() % 1000000);
        const AstraGroup group{static_cast<std::int64_t>(members.size()), 0, size / stride, stride};
        try {
            const auto found = ticks.group(system, kind, bytes, group);
            if (!found) continue;
            ASSERT_EQ(*found, played(system, plan_group(system, kind, bytes, group.members), members)) << i;
            ++compared;
        } catch (const ModelError&) {
            // Halving and doubling over a number that is no power of two.
        }
    }
    EXPECT_GT(compared, 150);
}

TEST(AstraCollectiveTicks, a_ring_of_1024_has_a_closed_form) {
    AstraSystem system = line_of(DimensionKind::ring, 1024, Algorithm::ring, 500.0);
    // 1 MiB: messages of 1,024 bytes take 1,524 ticks, 2 · 1,023 of them.
    AstraCollectiveTicks ticks;
    EXPECT_EQ(ticks.all(system, CollectiveKind::all_reduce, 1 << 20), 2046 * 1524);
}

}  // namespace
}  // namespace dse::netsim
