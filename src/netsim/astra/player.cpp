#include "dse/netsim/astra/player.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/netsim/astra/fabric.hpp"

namespace dse::netsim {

std::vector<Ticks> play_messages(const AstraSystem& system, AstraNetwork network, const AstraPlan& plan,
                                 std::span<const std::int64_t> members, const AstraStart& start) {
    DSE_EXPECT(start.members.empty() || start.members.size() == members.size());
    if (plan.phase_count == 0) return std::vector<Ticks>(members.size(), 0);
    std::vector<Ticks> ends(members.size(), -1);
    const AstraMembers group{{members.begin(), members.end()}};
    AstraFabric fabric{system, {.network = network}, {&group, 1}};
    fabric.set_turns(start.turns);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto begin = [&, i] {
            fabric.begin(members[i], plan, 0, 0, [&fabric, &end = ends[i]] { end = fabric.events().now(); });
        };
        const Ticks at = start.members.empty() ? 0 : start.members[i];
        if (at == 0) {
            begin();
        } else {
            fabric.events().at(at, begin);
        }
    }
    fabric.events().run();
    if (const auto waiting = std::ranges::count(ends, -1); waiting != 0) {
        throw ModelError(fmt::format(
            "ASTRA-sim never ends this collective: its members start at different times, so that their "
            "chunks queue in different orders, and {} of {} members wait for each other (not with "
            "preferred-dataset-splits 1)",
            waiting, members.size()));
    }
    return ends;
}

}  // namespace dse::netsim
