#include "explore/proven_search.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/space/tiling.hpp"
#include "explore/sample_problem.hpp"

namespace dse::explore {
namespace {

using results::Proof;
using test::Answer;
using test::two_costs;

/// Square of the least distance from a number to a run of an axis that counts from 0.
double square_to(const space::Run& run, double number) {
    const double low = static_cast<double>(run.first);
    const double high = low + static_cast<double>(run.count) - 1.0;
    const double nearest = std::min(std::max(number, low), high);
    return (nearest - number) * (nearest - number);
}

/// Of two valleys, as tight as bounds can be.
class ValleyBounder final : public space::Bounder {
  public:
    explicit ValleyBounder(bool layered = false, bool infeasible = false)
        : layered_{layered}, infeasible_{infeasible} {}

    [[nodiscard]] bool knows(const metrics::Objective& objective) const override {
        return objective.metric != "mfu";
    }
    [[nodiscard]] bool is_enumerated(std::size_t axis) const override { return layered_ && axis == 0; }
    space::Bounds bounds(const space::Box& box) override {
        space::Bounds bounds;
        bounds.infeasible = infeasible_;
        bounds.best.iteration_time = square_to(box.axes[0], 10) + square_to(box.axes[1], 10);
        bounds.best.energy = square_to(box.axes[0], 30) + square_to(box.axes[1], 20);
        return bounds;
    }
    [[nodiscard]] std::vector<std::uint64_t> promising(const space::Box& box) const override {
        return {box.axes[0].first, box.axes[1].first};
    }

  private:
    bool layered_;
    bool infeasible_;
};

struct Proven {
    test::Found found;
    Proof proof;
};

Proven prove(const std::shared_ptr<const space::Space>& space, const Answer& answer,
             std::unique_ptr<space::Bounder> bounder = std::make_unique<ValleyBounder>(),
             const std::vector<metrics::Objective>& objectives = two_costs) {
    ProvenSearch search{space, objectives, std::move(bounder)};
    SearchSource source{search, {}};
    Proven proven;
    while (!source.exhausted()) {
        const auto trial = source.next();
        if (!trial) continue;  // on a busy machine the search takes longer than a moment
        space::Record record;
        record.point = trial->point;
        record.status = space::Status::ok;
        answer(trial->point, record);
        proven.found.records.push_back(record);
        source.answer(record);
    }
    EXPECT_TRUE(source.complete());
    EXPECT_EQ(proven.found.points().size(), proven.found.records.size()) << "a point twice";
    proven.proof = search.proof().value();
    const dist::ProofProgress progress = search.progress().value();
    EXPECT_EQ(progress.boxes, proven.proof.parts.size());
    EXPECT_EQ(progress.boxes - progress.settled,
              static_cast<std::uint64_t>(std::count_if(
                  proven.proof.parts.begin(), proven.proof.parts.end(),
                  [](const Proof::Part& part) { return part.verdict == Proof::Verdict::open; })));
    std::vector<space::Box> boxes;
    for (const Proof::Part& part : proven.proof.parts) boxes.push_back(part.box);
    EXPECT_EQ(space::tiling_fault(space::whole(*space), boxes), "");
    return proven;
}

/// Of every point of the grid.
std::set<std::vector<double>> true_front(const std::shared_ptr<const space::Space>& space,
                                         const Answer& answer) {
    test::Found all;
    space::Point point;
    for (std::uint64_t id = 0; id < *space->grid_size().exact; ++id) {
        if (!space->point(id, point)) continue;
        space::Record& record = all.records.emplace_back();
        record.point = point;
        answer(point, record);
    }
    return all.front(two_costs);
}

std::uint64_t count(const Proof& proof, Proof::Verdict verdict) {
    std::uint64_t points = 0;
    for (const Proof::Part& part : proof.parts)
        if (part.verdict == verdict) points += part.box.count();
    return points;
}

TEST(ProvenSearch, FindsTheFrontOfAllPointsAmongFew) {
    for (const bool layered : {false, true}) {
        const auto space = test::valleys("{method: proven}");
        const Proven proven = prove(space, test::two_valleys, std::make_unique<ValleyBounder>(layered));
        EXPECT_EQ(proven.found.front(two_costs), true_front(space, test::two_valleys));
        EXPECT_LT(proven.found.records.size(), 41U * 31U / 5U);
        EXPECT_EQ(count(proven.proof, Proof::Verdict::open), 0U);
        EXPECT_EQ(proven.proof.course.back().epsilon, 0.0);
    }
}

TEST(ProvenSearch, LooksOnlyAtTheSpace) {
    const auto space = test::valleys("{method: proven}", "require: [x % 3 == 0]\n");
    const Proven proven = prove(space, test::two_valleys);
    EXPECT_EQ(proven.found.front(two_costs), true_front(space, test::two_valleys));
    EXPECT_GT(count(proven.proof, Proof::Verdict::outside), 0U);
}

TEST(ProvenSearch, ComesWithinATolerance) {
    const auto space = test::valleys("{method: proven, tolerance: 20 %}");
    const Answer shifted = [](const space::Point& point, space::Record& record) {
        test::two_valleys(point, record);
        record.metrics.iteration_time += 100.0;
        record.metrics.energy += 100.0;
    };
    class Shifted final : public space::Bounder {
      public:
        [[nodiscard]] bool knows(const metrics::Objective&) const override { return true; }
        [[nodiscard]] bool is_enumerated(std::size_t) const override { return false; }
        space::Bounds bounds(const space::Box& box) override {
            space::Bounds bounds = valleys_.bounds(box);
            bounds.best.iteration_time += 100.0;
            bounds.best.energy += 100.0;
            return bounds;
        }
        [[nodiscard]] std::vector<std::uint64_t> promising(const space::Box& box) const override {
            return valleys_.promising(box);
        }

      private:
        ValleyBounder valleys_;
    };
    const Proven proven = prove(space, shifted, std::make_unique<Shifted>());
    EXPECT_LT(proven.found.records.size(), 41U * 31U / 20U);
    EXPECT_LE(proven.proof.course.back().epsilon, 0.2);
    space::Point point;
    for (std::uint64_t id = 0; id < *space->grid_size().exact; ++id) {
        ASSERT_TRUE(space->point(id, point));
        space::Record record;
        shifted(point, record);
        const bool near = std::any_of(
            proven.found.records.begin(), proven.found.records.end(), [&](const space::Record& found) {
                return found.metrics.iteration_time <= 1.2 * record.metrics.iteration_time &&
                       found.metrics.energy <= 1.2 * record.metrics.energy;
            });
        EXPECT_TRUE(near) << id;
    }
}

TEST(ProvenSearch, FindsEveryOneOfEqualAnswers) {
    const auto space = test::valleys("{method: proven}");
    const Answer tied = [](const space::Point& point, space::Record& record) {
        record.metrics.iteration_time = std::floor(point.values[0] / 10);
        record.metrics.energy = 4.0 - record.metrics.iteration_time;
    };
    class Tied final : public space::Bounder {
      public:
        [[nodiscard]] bool knows(const metrics::Objective&) const override { return true; }
        [[nodiscard]] bool is_enumerated(std::size_t) const override { return false; }
        space::Bounds bounds(const space::Box& box) override {
            const space::Run& x = box.axes[0];
            space::Bounds bounds;
            bounds.best.iteration_time = std::floor(static_cast<double>(x.first) / 10);
            bounds.best.energy = 4.0 - std::floor(static_cast<double>(x.first + x.count - 1) / 10);
            return bounds;
        }
        [[nodiscard]] std::vector<std::uint64_t> promising(const space::Box& box) const override {
            return {box.axes[0].first, box.axes[1].first};
        }
    };
    EXPECT_EQ(prove(space, tied, std::make_unique<Tied>()).found.records.size(), 41U * 31U);
}

/// Bounds that say nothing.
class Ignorant final : public space::Bounder {
  public:
    [[nodiscard]] bool knows(const metrics::Objective&) const override { return true; }
    [[nodiscard]] bool is_enumerated(std::size_t) const override { return false; }
    space::Bounds bounds(const space::Box&) override { return {}; }
    [[nodiscard]] std::vector<std::uint64_t> promising(const space::Box& box) const override {
        return {box.axes[0].first, box.axes[1].first};
    }
};

TEST(ProvenSearch, EvaluatesAllOfWhatNothingIsKnown) {
    const auto space =
        space::parse_space("name: t\naxes: {x: {from: 0, to: 4}, y: [1, 2]}\nsearch: {method: proven}\n");
    const Answer constant = [](const space::Point&, space::Record& record) {
        record.metrics.iteration_time = 1.0;
        record.metrics.energy = 1.0;
    };
    const Answer none = [](const space::Point&, space::Record& record) {
        record.metrics.iteration_time = std::nan("");
        record.metrics.energy = 1.0;
    };
    EXPECT_EQ(prove(space, constant, std::make_unique<Ignorant>()).found.records.size(), 10U);
    EXPECT_EQ(prove(space, none, std::make_unique<Ignorant>()).found.records.size(), 10U);
    const auto one = space::parse_space("name: t\naxes: {x: [10], y: [10]}\nsearch: {method: proven}\n");
    EXPECT_EQ(prove(one, constant, std::make_unique<Ignorant>()).found.records.size(), 1U);
}

TEST(ProvenSearch, EvaluatesNothingWhereNothingIsFeasible) {
    const Proven proven = prove(test::valleys("{method: proven}"), test::two_valleys,
                                std::make_unique<ValleyBounder>(true, true));
    EXPECT_TRUE(proven.found.records.empty());
    EXPECT_EQ(count(proven.proof, Proof::Verdict::infeasible), 41U * 31U);
}

TEST(ProvenSearch, EndsWithItsBudgetAndSaysHowFarItCame) {
    const Proven proven = prove(test::valleys("{method: proven, budget: 1}"), test::two_valleys);
    EXPECT_EQ(proven.found.records.size(), 1U);
    EXPECT_GT(count(proven.proof, Proof::Verdict::open), 0U);
    EXPECT_GT(proven.proof.course.back().epsilon, 0.0);
}

TEST(ProvenSearch, GoesOnFromWhatIsKnownToTheSamePoints) {
    const auto space = test::valleys("{method: proven}");
    const Proven whole = prove(space, test::two_valleys);
    Replay known;
    for (std::size_t i = 0; i < whole.found.records.size() / 2; ++i) known[i] = whole.found.records[i];
    ProvenSearch search{space, two_costs, std::make_unique<ValleyBounder>()};
    SearchSource source{search, std::move(known)};
    std::size_t next = whole.found.records.size() / 2;
    while (!source.exhausted()) {
        const auto trial = source.next();
        if (!trial) continue;  // on a busy machine the search takes longer than a moment
        ASSERT_LT(next, whole.found.records.size());
        EXPECT_EQ(trial->point.values, whole.found.records[next].point.values);
        source.answer(whole.found.records[next++]);
    }
    EXPECT_EQ(next, whole.found.records.size());
    EXPECT_EQ(search.proof()->parts.size(), whole.proof.parts.size());
}

/// Rows that a search asks for, which stand in `known` as far as they do.
std::vector<space::Record> rows_of(ProvenSearch& search, Replay known = {}) {
    SearchSource source{search, std::move(known)};
    std::vector<space::Record> rows;
    while (!source.exhausted()) {
        const auto trial = source.next();
        if (!trial) continue;  // on a busy machine the search takes longer than a moment
        space::Record& record = rows.emplace_back();
        record.point = trial->point;
        record.status = space::Status::ok;
        record.wall_seconds = 10.0;
        test::two_valleys(trial->point, record);
        source.answer(record);
    }
    EXPECT_TRUE(source.complete());
    return rows;
}

void expect_a_prefix(const std::vector<space::Record>& rows, const test::Found& whole) {
    ASSERT_LT(rows.size(), whole.records.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].point.values, whole.records[i].point.values);
}

TEST(ProvenSearch, EndsWithItsTimeAtAPrefixAndAgainThereWhenItGoesOn) {
    const Proven whole = prove(test::valleys("{method: proven}"), test::two_valleys);
    const auto space = test::valleys("{method: proven, time_budget: 1000 s}");
    double now = 0.0;
    ProvenSearch search{space, two_costs, std::make_unique<ValleyBounder>(), {}, [&] { return now += 1.0; }};
    const std::vector<space::Record> rows = rows_of(search);
    ASSERT_GT(rows.size(), 0U);
    expect_a_prefix(rows, whole.found);
    const Proof proof = search.proof().value();
    EXPECT_EQ(proof.spent_at, rows.size());
    EXPECT_EQ(proof.course.back().points, rows.size());
    EXPECT_GT(count(proof, Proof::Verdict::open), 0U);

    Replay known;
    for (std::size_t i = 0; i < rows.size(); ++i) known[i] = rows[i];
    ProvenSearch again{space, two_costs, std::make_unique<ValleyBounder>(), {}, [] { return 0.0; }};
    again.recall(proof);
    EXPECT_TRUE(rows_of(again, std::move(known)).empty());
    EXPECT_EQ(again.proof()->spent_at, rows.size());
}

TEST(ProvenSearch, CountsTheTimeOfEvaluations) {
    const Proven whole = prove(test::valleys("{method: proven}"), test::two_valleys);
    ProvenSearch search{test::valleys("{method: proven, cpu_budget: 300 s}"),
                        two_costs,
                        std::make_unique<ValleyBounder>(),
                        {},
                        [] { return 0.0; }};
    const std::vector<space::Record> rows = rows_of(search);
    EXPECT_GE(rows.size(), 30U);
    expect_a_prefix(rows, whole.found);
}

TEST(ProvenSearch, BeginsWithTheBestOfOlderRows) {
    const auto space = test::valleys("{method: proven}");
    const Proven whole = prove(space, test::two_valleys);
    ProvenSearch search{space, two_costs, std::make_unique<ValleyBounder>(), whole.found.records};
    test::Found found;
    found.records = rows_of(search);
    const std::set<std::vector<double>> front = true_front(space, test::two_valleys);
    EXPECT_EQ(found.front(two_costs), front);
    for (std::size_t i = 0; i < front.size(); ++i)
        EXPECT_EQ(front.count(found.records[i].point.values), 1U) << i;
    EXPECT_EQ(found.points().size(), found.records.size()) << "a point twice";
    EXPECT_LE(found.records.size(), whole.found.records.size());
}

TEST(ProvenSearch, RefusesObjectivesWithoutBounds) {
    const auto space = test::valleys("{method: proven}");
    EXPECT_THROW((ProvenSearch{space, {{"mfu"}}, std::make_unique<ValleyBounder>()}), InputError);
    EXPECT_THROW((ProvenSearch{space, two_costs, nullptr}), InputError);
}

}  // namespace
}  // namespace dse::explore
