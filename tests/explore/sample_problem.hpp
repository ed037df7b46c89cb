#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dse/explore/registry.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/space/space_text.hpp"
#include "explore/search_source.hpp"

namespace dse::explore::test {

using Answer = std::function<void(const space::Point& point, space::Record& record)>;

/// Two valleys: near (10, 10) one cost is small, near (30, 20) the other. The front is the line between them.
inline void two_valleys(const space::Point& point, space::Record& record) {
    const double x = point.values[0];
    const double y = point.values[1];
    record.metrics.iteration_time = (x - 10) * (x - 10) + (y - 10) * (y - 10);
    record.metrics.energy = (x - 30) * (x - 30) + (y - 20) * (y - 20);
}
inline const std::vector<metrics::Objective> two_costs{{"iteration_time"}, {"energy"}};

/// 41 × 31 points.
inline std::shared_ptr<const space::Space> valleys(const std::string& search, const std::string& more = "") {
    return space::parse_space(
        "name: valleys\naxes: {x: {from: 0, to: 40}, y: {from: 0, to: 30}}\nsearch: " + search + "\n" + more);
}

/// A search that was answered to its end.
struct Found {
    std::vector<space::Record> records;  ///< in the order of asking
    std::string state;

    [[nodiscard]] std::set<std::vector<double>> points() const {
        std::set<std::vector<double>> points;
        for (const space::Record& record : records) points.insert(record.point.values);
        return points;
    }
    /// Points that no other one is better than.
    [[nodiscard]] std::set<std::vector<double>> front(
        const std::vector<metrics::Objective>& objectives) const {
        metrics::CostTable costs{objectives.size()};
        for (const space::Record& record : records) costs.add(metrics::costs(record.metrics, objectives));
        std::set<std::vector<double>> points;
        for (const std::size_t row : metrics::pareto_front(costs)) points.insert(records[row].point.values);
        return points;
    }
};

inline Found search_for(const std::shared_ptr<const space::Space>& space,
                        const std::vector<metrics::Objective>& objectives, const Answer& answer) {
    const auto search = make_search(space, "test", objectives);
    SearchSource source{*search, {}};
    Found found;
    while (auto trial = source.next()) {
        space::Record record;
        record.point = trial->point;
        record.status = space::Status::ok;
        answer(trial->point, record);
        EXPECT_EQ(record.point.id, found.records.size());
        found.records.push_back(record);
        source.answer(record);
    }
    EXPECT_TRUE(source.complete());
    EXPECT_LE(found.records.size(), search->size());
    EXPECT_EQ(found.points().size(), found.records.size()) << "a point twice";
    found.state = search->state();
    return found;
}

}  // namespace dse::explore::test
