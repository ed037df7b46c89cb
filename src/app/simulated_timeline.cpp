#include "app/simulated_timeline.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/compressible_file.hpp"
#include "app/force.hpp"
#include "app/rank_choice.hpp"
#include "dse/base/error.hpp"

namespace dse::app {
namespace {

using sim::replay::NodeEvent;
using sim::replay::NodeSpan;
using trace::chakra::RankTrace;

/// By rank: whether it is shown.
std::vector<bool> chosen_ranks(const std::string& wanted, std::span<const RankTrace> ranks) {
    if (wanted == "all" || (wanted.empty() && ranks.size() <= SimulatedTimeline::most_ranks))
        return std::vector<bool>(ranks.size(), true);
    std::vector<bool> chosen(ranks.size(), false);
    if (!wanted.empty()) {
        for (const std::int64_t rank : parse_ranks(wanted, std::ssize(ranks)))
            chosen[static_cast<std::size_t>(rank)] = true;
        return chosen;
    }
    std::set<const trace::chakra::Trace*> seen;
    for (std::size_t rank = 0; rank < ranks.size() && seen.size() < SimulatedTimeline::most_ranks; ++rank)
        chosen[rank] = seen.insert(ranks[rank].trace.get()).second;
    return chosen;
}

}  // namespace

void declare_simulated_timeline(CLI::App& app, SimulatedTimelineOptions& options) {
    auto* file = app.add_option("--timeline", options.file,
                                "write when each node ran, for Perfetto and Chrome; .json.gz: compressed")
                     ->type_name("FILE");
    app.add_option("--timeline-ranks", options.ranks,
                   "ranks in the timeline: all, or a list (0,8-15); by default, of more than 16, one of each "
                   "that have the same trace")
        ->needs(file)
        ->type_name("RANKS");
    add_force(app, options.existing);
}

SimulatedTimeline::SimulatedTimeline(const SimulatedTimelineOptions& options) : options_{options} {
    if (is_wanted()) require_free(options_.file, options_.existing);
}

sim::replay::SpanObserver SimulatedTimeline::add_job(const std::string& name,
                                                     std::span<const RankTrace> ranks) {
    if (!is_wanted()) return {};
    for (const RankTrace& rank : ranks) require_another(options_.file, rank.path);
    std::vector<bool> chosen = chosen_ranks(options_.ranks, ranks);
    all_ += ranks.size();
    shown_ += static_cast<std::size_t>(std::ranges::count(chosen, true));
    sim::replay::ReplayedJob& job = jobs_.emplace_back(sim::replay::ReplayedJob{name, ranks, {}});
    return [&job, chosen = std::move(chosen)](const NodeSpan& span) {
        if (chosen[static_cast<std::size_t>(span.rank)]) job.spans.push_back(span);
    };
}

void SimulatedTimeline::write() {
    if (!is_wanted()) return;
    if (jobs_.size() == 1) jobs_.front().name.clear();
    const std::vector<sim::replay::ReplayedJob> jobs(std::make_move_iterator(jobs_.begin()),
                                                     std::make_move_iterator(jobs_.end()));
    write_compressible(options_.file, options_.existing, sim::replay::to_chrome_trace(jobs));
    std::cerr << fmt::format("timeline: {} (open it in chrome://tracing or ui.perfetto.dev)\n",
                             options_.file);
    if (shown_ < all_) {
        std::cerr << fmt::format("  of {} ranks it shows {}; --timeline-ranks all shows all\n", all_, shown_);
    }
}

std::function<void(const NodeEvent&)> events_of(sim::replay::SpanObserver observe) {
    if (!observe) return {};
    using Node = std::pair<std::int64_t, std::size_t>;
    return
        [observe = std::move(observe), issued = std::map<Node, Seconds>{}](const NodeEvent& event) mutable {
            const Seconds now{static_cast<double>(event.tick) * 1e-9};
            const Node node{event.rank, event.node.index()};
            if (event.kind == NodeEvent::Kind::issued) {
                issued.emplace(node, now);
                return;
            }
            const auto found = issued.find(node);
            observe({event.rank, event.node, found->second, found->second, now});
            issued.erase(found);
        };
}

}  // namespace dse::app
