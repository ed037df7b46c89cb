#include "dse/sim/critical_path.hpp"

#include <algorithm>
#include <array>

#include "dse/sim/parts.hpp"

namespace dse::sim {
namespace {

/// Charges the communication of a stage, one occupant of its compute stream after the other.
class Ledger {
  public:
    Ledger(const Dependencies& dependencies, const graph::Graph& graph, const Window& window)
        : dependencies_{dependencies}, graph_{graph}, window_{window} {}

    void add(const Dependencies::Occupant& occupant) {
        charge_wait(occupant);
        if (occupant.who.is_none() || !is_communication(occupant.who)) return;
        entry(occupant.who).held += window_.share(std::max(occupant.free, occupant.ready), occupant.until);
    }

    std::vector<Exposure> take() {
        std::erase_if(entries_, [](const Exposure& entry) { return entry.sum() == 0.0; });
        return std::move(entries_);
    }

  private:
    /// Charges a wait to the chain described in Parts: three links, of which the last takes the rest. Links
    /// that are not communication take their share as well.
    void charge_wait(const Dependencies::Occupant& occupant) {
        if (dependencies_.is_meeting(occupant.who)) return;  // for a slower member: imbalance
        SpanRef who = occupant.last;
        double until = occupant.ready;
        int link = 0;
        const auto take = [&](double since) {
            const bool takes_rest = ++link == links;
            return takes_rest ? occupant.free : std::clamp(since, occupant.free, until);
        };
        while (link < links && until > occupant.free && !who.is_none()) {
            const bool is_first = link == 0;
            const double begin = take(dependencies_.at(who).start);
            if (is_communication(who)) {
                Exposure& exposed = entry(who);
                (is_first ? exposed.needed : exposed.queued) += window_.share(begin, until);
            }
            until = begin;
            const SpanRef before = dependencies_.own_last(who);
            if (dependencies_.is_meeting(who) && link < links && until > occupant.free)
                until = take(before.is_none() ? 0.0 : dependencies_.at(before).end);
            who = before;
        }
    }
    static constexpr int links = 3;

    [[nodiscard]] bool is_communication(SpanRef who) const {
        return communicates(graph_.works[dependencies_.at(who).work.index()]);
    }

    Exposure& entry(SpanRef who) {
        if (known_.size() <= who.span) known_.resize(who.span + 1, 0);
        std::size_t& number = known_[who.span];
        if (number == 0) {
            entries_.push_back({who});
            number = entries_.size();
        }
        return entries_[number - 1];
    }

    const Dependencies& dependencies_;
    const graph::Graph& graph_;
    const Window& window_;
    std::vector<Exposure> entries_;
    std::vector<std::size_t> known_;  // by span: number of its entry, from 1
};

}  // namespace

bool communicates(const graph::Work& work) {
    return std::holds_alternative<graph::Collective>(work) || std::holds_alternative<graph::Transfer>(work);
}

Place place_of(const Span& span, std::uint32_t stage, const graph::Graph& graph) {
    if (span.phase != Span::Phase::transfer) return {stage, stage};
    const graph::Peer peer = is_received(span, graph)
                                 ? graph::source_of(span.task, stage, graph.schedule)
                                 : graph::destination_of(span.task, stage, graph.schedule);
    return {stage, peer.stage};
}

std::vector<PathStep> critical_path(const Dependencies& dependencies, std::uint32_t last, double end) {
    std::vector<PathStep> path;
    for_each_step_back(dependencies, last, end, [&path](const PathStep& step) { path.push_back(step); });
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<Exposure> exposures(const Dependencies& dependencies, const graph::Graph& graph,
                                std::uint32_t stage, const Window& window) {
    Ledger ledger{dependencies, graph, window};
    for (const Dependencies::Occupant& occupant : dependencies.compute_stream(stage)) ledger.add(occupant);
    return ledger.take();
}

}  // namespace dse::sim
