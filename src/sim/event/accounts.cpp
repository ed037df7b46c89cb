#include <algorithm>
#include <utility>
#include <variant>

#include "sim/event/simulation.hpp"

// What breakdowns need to know.
namespace dse::sim::event {
namespace {

Culprits all(Cause cause) {
    const Culprit culprit{0, cause};
    return {culprit, culprit, culprit};
}

}  // namespace

/// Records what a signal that has arrived is charged to.
void Simulation::note(Activity& activity, std::uint8_t slot, bool is_last, const Activity* sender,
                      Signal signal) {
    History& history = *activity.history;
    const bool is_release = activity.kind == Activity::Kind::release;
    if (!is_last && !is_release) return;
    Blame blame = sender != nullptr ? blame_of(*sender, signal) : Blame{all(Cause::idle()), {}};
    if (is_release) {
        (slot == 1 ? history.link : history.last_link) = std::move(blame.link);
        if (slot == 1) history.waited_for = blame.culprits;
        return;
    }
    history.waited_for = blame.culprits;
    history.last_link = std::move(blame.link);
}

/// Charges the wait of an activity that starts.
void Simulation::account(Activity& activity) {
    Culprits& waited_for = activity.history->waited_for;
    if (activity.start > activity.last_time)
        waited_for = after({activity.last_time, Cause::imbalance()}, waited_for);
    if (activity.kind == Activity::Kind::transfer && activity.last_slot == receive_slot) {
        waited_for = all(Cause::bubble());
    }
    if (activity.compute_slot != Activity::no_slot) {
        Rank& rank = ranks_[static_cast<std::size_t>(activity.rank)];
        charge(activity.compute_free, activity.start, waited_for, rank.parts, waits_of(rank));
    }
    if (links_) link(activity);
}

/// The path of all members leads through the latest one. Ranks of its stage that are equal to it, and have
/// come with it by paths of their own, have the same path: it is kept once, not once for each of them.
void Simulation::share_link(const Meeting& meeting) const {
    const Activity& latest = MeetingPlace::latest(meeting);
    const auto stage_of = [this](const Activity& activity) {
        return ranks_[static_cast<std::size_t>(activity.rank)].stage;
    };
    const bool equal_ranks = at_once_ && durations_->kernel_table_of.empty();
    const std::uint32_t stage = stage_of(latest);
    for (const ActivityPtr& member : meeting.joined) {
        const bool is_alike = equal_ranks && stage_of(*member) == stage;
        if (is_alike || member->last_time < latest.last_time)
            member->history->last_link = latest.history->last_link;
    }
}

void Simulation::link(Activity& activity) {
    const auto stage_of = [this](std::int64_t rank) {
        return static_cast<std::uint32_t>(graph_->mesh.coordinate(graph::MeshAxis::pipeline, rank));
    };
    const bool is_message = activity.kind == Activity::Kind::transfer;
    const Place place{stage_of(activity.rank), stage_of(is_message ? activity.receiver : activity.rank)};
    History& history = *activity.history;
    history.link = path_links_.make();
    history.link->before = std::exchange(history.last_link, nullptr);
    history.link->start = activity.start;
    history.link->work = activity.work;
    history.link->place = place;
}

void Simulation::occupy_compute(Activity& activity) {
    const bool on_stream = activity.stream == graph::compute_stream;
    const double busy = on_stream ? activity.time.duration : activity.time.hold;
    activity.compute_until = activity.start + busy;
    if (!activity.history) return;
    Parts& parts = ranks_[static_cast<std::size_t>(activity.rank)].parts;
    const auto* kernel = std::get_if<graph::Compute>(&graph_->works[activity.work.index()]);
    if (on_stream && kernel != nullptr) {
        parts.compute[static_cast<std::size_t>(kernel->op_class)] += busy;
    } else {
        parts.charge(activity.cause, busy);
    }
}

void Simulation::account_release(Activity& release) {
    const double until = release.transfer_start + release.time.hold;
    release.compute_until = std::max(release.compute_free, until);
    if (!release.history) return;
    Rank& rank = ranks_[static_cast<std::size_t>(release.rank)];
    History& history = *release.history;
    charge(release.compute_free, release.transfer_start, history.waited_for, rank.parts, waits_of(rank));
    const double from = std::max(release.compute_free, release.transfer_start);
    if (until > from) {
        rank.parts.charge(Cause::message(), until - from);
    } else {
        history.link = history.last_link;
    }
}

Simulation::LastStream Simulation::last_stream(const Rank& rank) const {
    LastStream last{0, {all(Cause::idle()), {}}};
    const auto consider = [&](const ActivityPtr& activity, Signal signal) {
        if (!activity) return;
        const double time = time_of(*activity, signal);
        if (time > last.time) last = {time, histories_ ? blame_of(*activity, signal) : Blame{}};
    };
    for (std::size_t s = 0; s < rank.last_on.size(); ++s) {
        consider(rank.last_on[s], s == graph::compute_stream.index() ? Signal::compute : Signal::stream);
    }
    for (const Rank::Lane& lane : rank.lanes) {
        consider(lane.last_sent, Signal::stream);
        consider(lane.last_received, Signal::arrived);
    }
    return last;
}

}  // namespace dse::sim::event
