#include "sim/event/under_way.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "dse/base/check.hpp"

namespace dse::sim::event {

UnderWay::UnderWay(const graph::Graph& graph, std::unique_ptr<model::NetworkPlay> network)
    : graph_{&graph}, network_{std::move(network)} {
    DSE_REQUIRE(network_ != nullptr);
}

void UnderWay::begin(const ActivityPtr& transfer) {
    begin({{transfer}, {transfer->rank, transfer->receiver}, {}, 0});
}

void UnderWay::begin(std::span<const std::int64_t> members, const std::vector<ActivityPtr>& activities) {
    begin({activities, {members.begin(), members.end()}, {}, 0});
}

void UnderWay::begin(Course course) {
    course.ends.push_back(1.0);
    for (const ActivityPtr& activity : course.activities) {
        for (const double share : {activity->on_network->visible_share, activity->on_network->hold_share}) {
            if (share > 0.0) course.ends.push_back(share);
        }
    }
    std::ranges::sort(course.ends);
    course.ends.erase(std::unique(course.ends.begin(), course.ends.end()), course.ends.end());
    begin_part(std::move(course));
}

void UnderWay::begin_part(Course course) {
    const double before = course.part == 0 ? 0.0 : course.ends[course.part - 1];
    const double share = course.ends[course.part] - before;
    const Activity& first = *course.activities.front();
    const graph::Work& work = graph_->works[first.work.index()];
    model::NetworkPlay::Number number = 0;
    if (const auto* collective = std::get_if<graph::Collective>(&work)) {
        number = network_->begin(*collective, course.members, share);
    } else {
        const Bytes size = std::get<graph::Transfer>(work).size;
        number = network_->begin(size, course.members.front(), course.members.back(), share);
    }
    courses_[number] = std::move(course);
}

void UnderWay::progress(Course& course) {
    const double done = course.ends[course.part];
    for (const ActivityPtr& activity : course.activities) {
        const double before = std::exchange(activity->on_network->done, done);
        const double taken = network_->now() - activity->start;
        const auto passed = [&](double share) { return before < share && share <= done; };
        if (passed(activity->on_network->visible_share)) activity->time.visible = taken;
        if (passed(activity->on_network->hold_share)) activity->time.hold = taken;
        if (passed(1.0)) activity->time.duration = taken;
        progress_.push_back({activity, before});
    }
}

const std::vector<UnderWay::Progress>& UnderWay::advance(double time) {
    progress_.clear();
    std::vector<Course> ended;
    for (const model::NetworkPlay::Number number : network_->advance(time)) {
        const auto found = courses_.find(number);
        ended.push_back(std::move(found->second));
        courses_.erase(found);
    }
    for (Course& course : ended) {
        progress(course);
        if (++course.part < course.ends.size()) begin_part(std::move(course));
    }
    return progress_;
}

}  // namespace dse::sim::event
