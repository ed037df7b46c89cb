// Also tests: replay.cpp
#include "dse/explore/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/dist/local_channel.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/explore/registry.hpp"
#include "dse/explore/static_search.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "explore/sample_search.hpp"
#include "support/temporary_folder.hpp"

namespace dse::explore::test {
namespace {

using testing::HasSubstr;

/// Of the bowl, with what is least in a box; of where nobody knows the answer it says nothing.
class BowlBounder final : public space::Bounder {
  public:
    [[nodiscard]] bool knows(const metrics::Objective&) const override { return true; }
    [[nodiscard]] bool is_enumerated(std::size_t) const override { return false; }
    space::Bounds bounds(const space::Box& box) override {
        space::Bounds bounds;
        bounds.best.iteration_time = least(box.axes[0], 3.0) + least(box.axes[1], -1.0);
        bounds.best.memory_peak = value(box.axes[0].first + box.axes[0].count - 1) - value(box.axes[1].first);
        return bounds;
    }
    [[nodiscard]] std::vector<std::uint64_t> promising(const space::Box& box) const override {
        return {box.axes[0].first, box.axes[1].first};
    }

  private:
    static double value(std::uint64_t digit) { return -4.0 + 0.5 * static_cast<double>(digit); }
    static double least(const space::Run& run, double bottom) {
        const double nearest = std::clamp(bottom, value(run.first), value(run.first + run.count - 1));
        return (nearest - bottom) * (nearest - bottom);
    }
};

class CampaignTest : public testing::Test {
  protected:
    CampaignTest() { dist::clear_stop_request(); }
    ~CampaignTest() override { dist::clear_stop_request(); }

    /// Runs a campaign with a thread for each rank.
    Report run_all(int ranks, const std::function<Campaign(int rank)>& make) {
        options_.crash_records = false;
        options_.farm.heartbeat = std::chrono::milliseconds{10};
        options_.farm.flush.interval = std::chrono::milliseconds{20};
        dist::LocalNetwork network{ranks};
        std::vector<std::jthread> threads;
        for (int rank = 1; rank < ranks; ++rank) {
            threads.emplace_back([&, rank] {
                run(
                    *network.channel(rank), [&] { return make(rank); }, options_);
            });
        }
        return run(
            *network.channel(0), [&] { return make(0); }, options_);
    }

    [[nodiscard]] Campaign over_plane() {
        Campaign campaign;
        campaign.search = static_search(plane(), "plane");
        return completed(std::move(campaign));
    }
    [[nodiscard]] Campaign downhill(std::size_t lag, std::uint64_t seed = 1) {
        Campaign campaign;
        campaign.search = std::make_unique<Walk>(150, 5, lag, seed);
        return completed(std::move(campaign));
    }
    [[nodiscard]] Campaign searching(const std::string& search) {
        Campaign campaign;
        campaign.search = make_search(plane("search: " + search + "\n"), "plane",
                                      metrics::parse_objectives("iteration_time, memory_peak: maximize"),
                                      std::nullopt, [] { return std::make_unique<BowlBounder>(); });
        return completed(std::move(campaign));
    }
    [[nodiscard]] Campaign completed(Campaign campaign) {
        campaign.schema = results::row_schema(*plane(), metrics::parse_objectives("iteration_time"));
        campaign.evaluator = [this]() -> Evaluate {
            return [this](const space::Point& point, Fidelity fidelity, space::Record& record) {
                if (dist::stop_requested()) throw Stopped("asked to");
                if (++evaluated_ == stop_after_) dist::request_stop();
                bowl(point, fidelity, record);
            };
        };
        return campaign;
    }

    /// All that must be equal whoever evaluated, and when.
    [[nodiscard]] std::string answers() const {
        const results::Table table = results::read_results(options_.output);
        std::string text;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            text += fmt::format("{} {} {} {} {} {}\n", table.point_id[row], name(table.status[row]),
                                table.point_value("x")[row], table.point_value("y")[row],
                                table.metric("iteration_time")[row], table.metric("energy")[row]);
        }
        return text;
    }

    dse::test::TemporaryFolder folder_;
    RunOptions options_{.output = folder_.path("deep/rows.h5")};
    std::atomic<int> evaluated_{0};
    int stop_after_{-1};
};

TEST_F(CampaignTest, WritesARowForEveryPoint) {
    const Report report = run_all(3, [&](int) { return over_plane(); });
    EXPECT_EQ(report.end, End::complete);
    EXPECT_TRUE(report.evaluated);
    EXPECT_EQ(report.merged.rows, 289U);
    EXPECT_EQ(report.progress.tally.rows, 289U);
    EXPECT_EQ(report.progress.front_size, 1U);
    const results::Table table = results::read_results(options_.output);
    EXPECT_EQ(table.schema.sweep.points, 289U);
    // x = 3 is the 15th of 17 values, y = −1 the seventh.
    EXPECT_EQ(table.metric("iteration_time")[14 * 17 + 6], 0.0);
    EXPECT_EQ(table.status[16], space::Status::outside_validity);
    EXPECT_EQ(table.reason[16], "y = 4 is not known");
}

TEST_F(CampaignTest, GoesOnAfterALimitAndAfterAStop) {
    options_.limit = 100;
    EXPECT_EQ(run_all(2, [&](int) { return over_plane(); }).end, End::points_left);
    EXPECT_EQ(evaluated_, 100);
    options_.limit.reset();
    stop_after_ = 150;
    EXPECT_EQ(run_all(1, [&](int) { return over_plane(); }).end, End::stopped);
    EXPECT_EQ(evaluated_, 150);
    dist::clear_stop_request();
    EXPECT_EQ(run_all(2, [&](int) { return over_plane(); }).end, End::complete);
    EXPECT_EQ(evaluated_, 289);
    const Report again = run_all(2, [&](int) { return over_plane(); });
    EXPECT_EQ(again.end, End::complete);
    EXPECT_FALSE(again.evaluated);
    EXPECT_EQ(again.merged.rows, 289U);
}

TEST_F(CampaignTest, EvaluatesItsShardAlone) {
    options_.shard = Shard{2, 3};
    const std::uint64_t own = 289 - others({2, 3}, 289).count();
    const Report report = run_all(2, [&](int) { return over_plane(); });
    EXPECT_EQ(report.end, End::points_left);
    EXPECT_EQ(report.merged.rows, own);
    run_all(1, [&](int) { return over_plane(); });
    EXPECT_EQ(evaluated_, static_cast<int>(own)) << "nothing of it was left";
    EXPECT_THROW(run_all(1, [&](int) { return searching("{method: nsga2, budget: 150}"); }), InputError);
}

TEST_F(CampaignTest, SaysOnceAllRowsAreThereBeforeTheyAreInTheFile) {
    int times = 0;
    options_.complete = [&](results::SweepOutput& output) {
        ++times;
        EXPECT_EQ(output.settled(), 289U);
        std::uint64_t rows = 0;
        output.each([&](const results::Table& block) { rows += block.rows(); });
        EXPECT_EQ(rows, 289U);
    };
    options_.limit = 100;
    EXPECT_EQ(run_all(2, [&](int) { return over_plane(); }).end, End::points_left);
    EXPECT_EQ(times, 0);
    options_.limit.reset();
    stop_after_ = 150;
    EXPECT_EQ(run_all(1, [&](int) { return over_plane(); }).end, End::stopped);
    EXPECT_EQ(times, 0);
    dist::clear_stop_request();
    EXPECT_EQ(run_all(2, [&](int) { return over_plane(); }).end, End::complete);
    EXPECT_EQ(times, 1);
}

TEST_F(CampaignTest, SearchesTheSameWithAnyNumberOfRanks) {
    std::string expected;
    std::string state;
    for (const int ranks : {1, 2, 5}) {
        options_.output = folder_.path(fmt::format("{}.h5", ranks));
        const Report report = run_all(ranks, [&](int) { return downhill(2); });
        EXPECT_EQ(report.end, End::complete);
        EXPECT_EQ(report.merged.rows, 150U);
        if (expected.empty()) {
            expected = answers();
            state = report.state;
        }
        EXPECT_EQ(answers(), expected) << ranks;
        EXPECT_EQ(report.state, state) << ranks;
    }
    EXPECT_THAT(state, HasSubstr("150 told"));
}

TEST_F(CampaignTest, ASearchThatWasStoppedComesToTheSameRows) {
    const Report whole = run_all(2, [&](int) { return downhill(3); });
    const std::string expected = answers();
    options_.output = folder_.path("stopped.h5");
    evaluated_ = 0;
    stop_after_ = 37;
    EXPECT_EQ(run_all(2, [&](int) { return downhill(3); }).end, End::stopped);
    dist::clear_stop_request();
    stop_after_ = -1;
    options_.limit = 50;
    EXPECT_EQ(run_all(3, [&](int) { return downhill(3); }).end, End::points_left);
    options_.limit.reset();
    const Report last = run_all(1, [&](int) { return downhill(3); });
    EXPECT_EQ(last.end, End::complete);
    EXPECT_EQ(last.state, whole.state);
    EXPECT_EQ(answers(), expected);
    EXPECT_EQ(evaluated_, 150) << "no point twice";
    const Report again = run_all(2, [&](int) { return downhill(3); });
    EXPECT_FALSE(again.evaluated);
    EXPECT_EQ(again.state, whole.state);
}

class EverySearch : public CampaignTest, public testing::WithParamInterface<std::string> {};

TEST_P(EverySearch, ComesToTheSameRowsWithAnyRanksAndAfterAStop) {
    const auto make = [&](int) { return searching(GetParam()); };
    const Report whole = run_all(1, make);
    EXPECT_EQ(whole.end, End::complete);
    EXPECT_GT(whole.merged.rows, 40U) << "refine may leave some of its share of the budget";
    const std::string expected = answers();
    options_.output = folder_.path("three.h5");
    EXPECT_EQ(run_all(3, make).state, whole.state);
    EXPECT_EQ(answers(), expected);
    options_.output = folder_.path("stopped.h5");
    int before = 0;  // a rank that is evaluating when the stop comes finishes its point
    for (const int stop : {20, 11}) {
        evaluated_ = 0;
        stop_after_ = stop;
        EXPECT_EQ(run_all(3, make).end, End::stopped);
        dist::clear_stop_request();
        before += evaluated_;
    }
    evaluated_ = 0;
    stop_after_ = -1;
    EXPECT_EQ(run_all(2, make).state, whole.state);
    EXPECT_EQ(answers(), expected);
    EXPECT_EQ(before + evaluated_, static_cast<int>(whole.merged.rows)) << "no point twice";
}

INSTANTIATE_TEST_SUITE_P(All, EverySearch,
                         testing::Values("{method: [nsga2, moead, refine], budget: 150, population: 16}",
                                         "{method: nsga2, budget: 150, population: 16}",
                                         "{method: moead, budget: 150, population: 16}",
                                         "{method: refine, budget: 150, population: 80}", "{method: proven}",
                                         "{method: screen, budget: 30, population: 8}"));

TEST_F(CampaignTest, RefusesToGoOnWithAnotherSearch) {
    options_.limit = 20;
    run_all(1, [&](int) { return downhill(0, 1); });
    EXPECT_THROW(run_all(2, [&](int) { return downhill(0, 2); }), InputError);
}

TEST_F(CampaignTest, RankZeroSaysWhatIsWrong) {
    const auto wrong_at = [&](int wrong) {
        return [this, wrong](int rank) {
            if (rank == wrong) throw InputError("no such file");
            return over_plane();
        };
    };
    options_.farm.rank_zero = dist::RankZero::never;
    for (const auto& [rank, message] : {std::pair{0, "no such file"}, std::pair{1, "rank 1: no such file"}}) {
        try {
            run_all(2, wrong_at(rank));
            FAIL() << "no error";
        } catch (const InputError& error) {
            EXPECT_STREQ(error.what(), message);
        }
    }
}

}  // namespace
}  // namespace dse::explore::test
