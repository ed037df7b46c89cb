#include "netsim/scheduled_network.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/model/network/by_pattern.hpp"
#include "dse/netsim/schedule/check_schedule.hpp"
#include "dse/netsim/schedule/play_schedule.hpp"
#include "dse/netsim/schedule/port_play.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using hardware::ScheduledCollective;

CollectiveKind kind_of(ScheduledCollective collective) {
    switch (collective) {
        case ScheduledCollective::all_reduce:
            return CollectiveKind::all_reduce;
        case ScheduledCollective::all_gather:
            return CollectiveKind::all_gather;
        case ScheduledCollective::reduce_scatter:
            return CollectiveKind::reduce_scatter;
        case ScheduledCollective::all_to_all:
            break;
    }
    return CollectiveKind::all_to_all;
}

hardware::NetworkSpec without_schedules(hardware::NetworkSpec network) {
    network.collective.schedules.clear();
    return network;
}

hardware::NetworkSpec without_message_launch(hardware::NetworkSpec network) {
    network.collective.message_launch = Seconds{};
    return network;
}

/// All groups over `axes`, or only the first.
std::vector<std::vector<std::int64_t>> groups_of(graph::AxisSet axes, const graph::Mesh& mesh, bool all) {
    std::vector<std::vector<std::int64_t>> groups;
    for (std::int64_t rank = 0; rank < (all ? mesh.ranks() : 1); ++rank) {
        std::vector<std::int64_t> group = mesh.group(axes, rank);
        if (group.front() == rank) groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace

ScheduledNetwork::ScheduledNetwork(const hardware::NetworkSpec& network, const Make& make)
    : ScheduledNetwork{network, make(without_schedules(network)), make} {}

ScheduledNetwork::ScheduledNetwork(const hardware::NetworkSpec& network,
                                   std::unique_ptr<model::NetworkModel> inner, const Make& make)
    : NetworkModel{inner->traits()},
      launch_{network.collective.launch},
      inner_{std::move(inner)},
      messages_{make(without_message_launch(without_schedules(network)))},
      player_{dynamic_cast<const SchedulePlayer*>(messages_.get())} {
    if (traits().shares_everything) {
        throw ModelError(
            "network.collective.schedules: where all traffic shares links (topology.sharing: everything), "
            "collectives from trace files are not played");
    }
    for (const hardware::ScheduleSpec& spec : network.collective.schedules) {
        rows_.push_back({kind_of(spec.collective), spec.size, read_schedule(spec.prefix)});
        check_schedule(rows_.back().schedule, rows_.back().schedule.members.size());
    }
}

const ScheduledNetwork::Row* ScheduledNetwork::find(const model::Communication& what) const {
    const auto* pairs = std::get_if<model::StagePairs>(&what.devices);
    if (!what.collective || what.size == Bytes{} || pairs != nullptr) return nullptr;
    const auto* groups = std::get_if<model::AxisGroups>(&what.devices);
    const std::int64_t members = groups != nullptr
                                     ? groups->mesh->degree(groups->axes)
                                     : std::ssize(std::get<model::RankList>(what.devices).ranks);
    const auto row = std::ranges::find_if(rows_, [&](const Row& each) {
        return each.kind == what.collective && std::ssize(each.schedule.members) == members;
    });
    return row == rows_.end() ? nullptr : &*row;
}

Seconds ScheduledNetwork::time(const model::Communication& what) const {
    const Row* row = find(what);
    if (row == nullptr) return inner_->time(what);
    return model::by_pattern(
        what, [&](CollectiveKind, const model::AxisGroups& groups) { return over(*row, what.size, groups); },
        [&](const model::StagePairs&) { return inner_->time(what); },
        [&](const model::RankList& list) {
            const auto links = links_of(model::line_mesh(list.devices));
            const std::vector<std::int64_t> ranks{list.ranks.begin(), list.ranks.end()};
            return play(*row, what.size, Groups{ranks}, links, list.devices);
        });
}

Seconds ScheduledNetwork::over(const Row& row, Bytes size, const model::AxisGroups& groups) const {
    const graph::Mesh& mesh = *groups.mesh;
    const Key key{&row, size.value(), groups.axes.bits(), mesh.size, mesh.order};
    if (const auto known = played_.find(key); known != played_.end()) return known->second;
    constexpr std::size_t most = 4096;
    if (played_.size() >= most) played_.clear();
    const auto links = links_of(mesh);
    return played_[key] =
               play(row, size, groups_of(groups.axes, mesh, links != nullptr), links, mesh.ranks());
}

std::unique_ptr<model::NetworkPlay> ScheduledNetwork::links_of(const graph::Mesh& mesh) const {
    return player_ == nullptr ? messages_->play(mesh) : nullptr;
}

Seconds ScheduledNetwork::play(const Row& row, Bytes size, const Groups& groups,
                               const std::unique_ptr<model::NetworkPlay>& links, std::int64_t devices) const {
    const double scale = size / row.size;
    if (player_ != nullptr)
        return player_->scheduled(row.schedule, scale, row.kind, {groups.front(), devices});
    if (links != nullptr) return launch_ + play_schedule(row.schedule, scale, groups, *links);
    PortPlay ports{*messages_, devices};
    return launch_ + play_schedule(row.schedule, scale, groups, ports);
}

std::vector<model::Alternative> ScheduledNetwork::alternatives(const model::Communication& what) const {
    std::vector<model::Alternative> all = inner_->alternatives(what);
    if (const Row* row = find(what)) {
        const Seconds time = this->time(what);
        all.insert(all.begin(), {fmt::format("schedule {}", row->schedule.prefix), time, time});
    }
    return all;
}

}  // namespace dse::netsim
