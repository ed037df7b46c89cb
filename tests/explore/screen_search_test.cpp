#include "explore/screen_search.hpp"

#include <cmath>
#include <deque>
#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/space/space_text.hpp"

namespace dse::explore {
namespace {

std::shared_ptr<const space::Space> square(const std::string& search, const std::string& more = "") {
    return space::parse_space("axes:\n  x: {from: 0, to: 39}\n  y: {from: 0, to: 39}\n" + more +
                              "search: {method: screen, " + search + "}\n");
}

std::vector<metrics::Objective> two() {
    return metrics::parse_objectives("iteration_time, energy");
}

/// Two costs that are at odds; the dear answer differs from the cheap one by up to a tenth, point by point.
space::Record answer(const Trial& trial, std::uint64_t world) {
    space::Record record;
    record.point = trial.point;
    record.status = space::Status::ok;
    const double x = trial.point.values[0] / 39.0;
    const double y = trial.point.values[1] / 39.0;
    const auto noise = [&](std::uint64_t salt) {
        const auto bits = mixed(
            world * 7919 + salt +
            static_cast<std::uint64_t>(40 * trial.point.values[0] + trial.point.values[1]) * golden_gamma);
        return 0.9 + 0.2 * static_cast<double>(bits >> 11U) * 0x1.0p-53;
    };
    const bool dear = trial.fidelity.level == 1;
    record.metrics.iteration_time = (1.0 + x * x + y) * (dear ? noise(1) : 1.0);
    record.metrics.energy = (1.0 + (1.0 - x) * (1.0 - x) + y) * (dear ? noise(2) : 1.0);
    return record;
}

struct Played {
    std::vector<Trial> asked;
    std::size_t dear{0};
};

/// Plays a search to its end, telling one ask late.
Played play_with(const std::shared_ptr<const space::Space>& space,
                 const std::function<space::Record(const Trial&)>& answer_of) {
    ScreenSearch search{space, two()};
    Played run;
    std::deque<std::vector<space::Record>> untold;
    for (;;) {
        const std::vector<Trial> trials = search.ask();
        if (!trials.empty()) {
            std::vector<space::Record> records;
            for (const Trial& trial : trials) {
                run.asked.push_back(trial);
                if (trial.fidelity.level == 1) ++run.dear;
                records.push_back(answer_of(trial));
            }
            untold.push_back(std::move(records));
        }
        if (untold.empty()) return run;
        if (trials.empty() || untold.size() > search.lag()) {
            search.tell(untold.front());
            untold.pop_front();
        }
    }
}

Played play(const std::shared_ptr<const space::Space>& space, std::uint64_t world) {
    return play_with(space, [world](const Trial& trial) { return answer(trial, world); });
}

/// Points of the front of all dear answers that were not asked for.
std::size_t lost(const Played& run, std::uint64_t world) {
    std::set<std::pair<double, double>> dear;
    for (const Trial& trial : run.asked) {
        if (trial.fidelity.level == 1) dear.emplace(trial.point.values[0], trial.point.values[1]);
    }
    metrics::CostTable costs{2};
    std::vector<std::pair<double, double>> points;
    for (int x = 0; x < 40; ++x) {
        for (int y = 0; y < 40; ++y) {
            const space::Record record =
                answer({{0, {static_cast<double>(x), static_cast<double>(y)}}, {1}}, world);
            costs.add(std::vector{record.metrics.iteration_time, record.metrics.energy});
            points.emplace_back(x, y);
        }
    }
    std::size_t count = 0;
    for (const std::size_t row : metrics::pareto_front(costs))
        count += dear.count(points[row]) == 0 ? 1U : 0U;
    return count;
}

TEST(ScreenSearch, LosesFewPointsOfTheTrueFrontAndAsksForAFew) {
    std::size_t missing = 0;
    std::size_t asked = 0;
    for (std::uint64_t world = 1; world <= 20; ++world) {
        const Played run = play(square("budget: 1600, seed: 3, population: 30"), world);
        EXPECT_EQ(run.asked.size() - run.dear, 1600U) << "all by the cheap fidelity";
        missing += lost(run, world);
        asked += run.dear;
    }
    // Of about 15 points a front, over twenty worlds.
    EXPECT_LE(missing, 3U);
    EXPECT_LT(asked, 20U * 1600U / 2);
}

TEST(ScreenSearch, EndsWithTheTimeOfItsDearAnswers) {
    const Played run = play_with(square("cpu_budget: 30 s, population: 8"), [](const Trial& trial) {
        space::Record record = answer(trial, 1);
        record.wall_seconds = trial.fidelity.level == 1 ? 1.0 : 100.0;
        return record;
    });
    EXPECT_EQ(run.asked.size() - run.dear, 1600U) << "all by the cheap fidelity";
    // Twenty at once, told one ask late.
    EXPECT_GE(run.dear, 30U);
    EXPECT_LE(run.dear, 60U);
}

TEST(ScreenSearch, AsksForNoPointTwiceByOneFidelity) {
    const Played run = play(square("budget: 50, population: 8"), 1);
    EXPECT_EQ(run.dear, 50U);
    std::set<std::vector<double>> seen;
    for (const Trial& trial : run.asked) {
        if (trial.fidelity.level != 1) continue;
        EXPECT_TRUE(seen.insert(trial.point.values).second);
    }
}

TEST(ScreenSearch, HasAnEndWhereNothingIsFeasible) {
    EXPECT_EQ(play(square("budget: 50", "where: energy < 0\n"), 1).dear, 0U);
    EXPECT_EQ(play(square("budget: 1"), 1).dear, 1U);
}

TEST(ScreenSearch, TakesOnePointTiesAndAnswersWithoutAValue) {
    const auto same = [](const Trial& trial) {
        space::Record record;
        record.point = trial.point;
        record.status = space::Status::ok;
        record.metrics.iteration_time = 1.0;
        record.metrics.energy = 1.0;
        return record;
    };
    const auto nothing = [&](const Trial& trial) {
        space::Record record = same(trial);
        record.metrics.energy = std::nan("");
        return record;
    };
    const auto one = space::parse_space("axes: {x: [3], y: [4]}\nsearch: {method: screen, budget: 5}");
    EXPECT_EQ(play_with(one, same).asked.size(), 2U) << "by either fidelity";
    EXPECT_EQ(play_with(square("budget: 50, population: 8"), nothing).dear, 0U);
    const Played tied = play_with(square("budget: 50, population: 8"), same);
    EXPECT_GE(tied.dear, 8U);
    EXPECT_LE(tied.dear, 50U);
}

TEST(ScreenSearch, RefusesWhatCannotBeWalked) {
    const auto endless =
        space::parse_space("axes: {x: {from: 0.0, to: 1.0}}\nsearch: {method: screen, budget: 2}");
    EXPECT_THROW((ScreenSearch{endless, two()}), InputError);
}

}  // namespace
}  // namespace dse::explore
