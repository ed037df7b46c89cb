#include <algorithm>

#include <fmt/format.h>

#include "dse/sim/timeline.hpp"
#include "sim/event/simulation.hpp"

// Describes deadlocks.
namespace dse::sim::event {
namespace {

/// Largest number of ranks that one message describes.
constexpr std::size_t most_named = 4;

std::string node_name(const Activity& activity, const graph::Graph& graph) {
    return fmt::format("node {} ({})", activity.number, describe(graph.works[activity.work.index()]));
}

/// Why a rank has not joined a collective that others wait for.
std::string absent(const Rank& rank, const graph::Graph& graph) {
    if (rank.unstarted.empty()) return fmt::format("rank {} has ended without it", rank.number);
    return fmt::format("rank {} has not come to it and waits itself, with {}", rank.number,
                       node_name(rank.unstarted.front(), graph));
}

std::string missing_members(const Meeting& meeting, const std::vector<Rank>& ranks,
                            const graph::Graph& graph) {
    std::string text;
    std::size_t count = 0;
    for (const std::int64_t member : meeting.members) {
        const bool is_there = std::any_of(
            meeting.joined.begin(), meeting.joined.end(),
            [&](const ActivityPtr& joined) { return joined->rank == member && joined->missing == 0; });
        if (is_there) continue;
        if (++count <= most_named)
            text += fmt::format("; {}", absent(ranks[static_cast<std::size_t>(member)], graph));
    }
    if (count > most_named) text += fmt::format("; and {} more", count - most_named);
    return text;
}

std::string waits_for(const Activity& first, const std::vector<Rank>& ranks, const graph::Graph& graph) {
    if (first.kind == Activity::Kind::release) return " for a message to be taken";
    if (first.missing > 0) return fmt::format(" for {} more of its inputs and streams", first.missing);
    if (first.meeting == nullptr) return {};
    const Meeting& meeting = *first.meeting;
    return fmt::format(": {} {} of its group has {} of {} ranks{}", graph::name(meeting.kind),
                       meeting.sequence, meeting.ready, meeting.members.size(),
                       missing_members(meeting, ranks, graph));
}

}  // namespace

std::string Simulation::stuck() const {
    std::string result;
    for (const Rank& rank : ranks_) {
        if (rank.unstarted.empty()) continue;
        const Activity& first = rank.unstarted.front();
        result += fmt::format("\n  rank {} (stage {}) waits with its {}{}", rank.number, rank.stage,
                              node_name(first, *graph_), waits_for(first, ranks_, *graph_));
    }
    return result;
}

}  // namespace dse::sim::event
