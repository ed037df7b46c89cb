#include "dse/netsim/scheduled_network.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
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

/// Where every group is seen, all of them; else the first.
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
    : launch_{network.collective.launch},
      inner_{make(without_schedules(network))},
      messages_{make(without_message_launch(without_schedules(network)))} {
    if (inner_->shares_everything()) {
        throw ModelError(
            "network.collective.schedules: where all traffic shares links (topology.sharing: everything), "
            "collectives from trace files are not played");
    }
    for (const hardware::ScheduleSpec& spec : network.collective.schedules) {
        rows_.push_back({kind_of(spec.collective), spec.size, read_schedule(spec.prefix)});
        check_schedule(rows_.back().schedule, rows_.back().schedule.members.size());
    }
}

const ScheduledNetwork::Row* ScheduledNetwork::find(const graph::Collective& collective,
                                                    std::int64_t members) const {
    const auto row = std::ranges::find_if(rows_, [&](const Row& each) {
        return each.kind == collective.kind && std::ssize(each.schedule.members) == members;
    });
    return row == rows_.end() ? nullptr : &*row;
}

Seconds ScheduledNetwork::collective(const graph::Collective& collective, const graph::Mesh& mesh) const {
    const Row* row = find(collective, mesh.degree(collective.axes));
    if (row == nullptr || collective.size == Bytes{}) return inner_->collective(collective, mesh);
    const Key key{row, collective.size.value(), collective.axes.bits(), mesh.size, mesh.order};
    if (const auto known = played_.find(key); known != played_.end()) return known->second;
    constexpr std::size_t most = 4096;
    if (played_.size() >= most) played_.clear();
    return played_[key] = play(*row, collective, mesh);
}

Seconds ScheduledNetwork::play(const Row& row, const graph::Collective& collective,
                               const graph::Mesh& mesh) const {
    const double scale = collective.size / row.size;
    if (const auto own = messages_->scheduled(row.schedule, scale, collective, mesh)) return *own;
    if (const auto links = messages_->play(mesh))
        return launch_ + play_schedule(row.schedule, scale, groups_of(collective.axes, mesh, true), *links);
    PortPlay ports{*messages_, mesh.ranks()};
    return launch_ + play_schedule(row.schedule, scale, groups_of(collective.axes, mesh, false), ports);
}

std::vector<model::Alternative> ScheduledNetwork::alternatives(const graph::Collective& collective,
                                                               const graph::Mesh& mesh) const {
    std::vector<model::Alternative> all = inner_->alternatives(collective, mesh);
    if (const Row* row = find(collective, mesh.degree(collective.axes))) {
        const Seconds time = this->collective(collective, mesh);
        all.insert(all.begin(), {fmt::format("schedule {}", row->schedule.prefix), time, time});
    }
    return all;
}

}  // namespace dse::netsim
