// Also tests: dismiss.cpp, refuse.cpp, worker.cpp
#include "dse/dist/farm.hpp"

#include <array>
#include <atomic>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dist/sample_evaluator.hpp"
#include "dist/sample_source.hpp"
#include "dse/dist/local_channel.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/memory_sink.hpp"
#include "support/temporary_folder.hpp"

namespace dse::dist::test {
namespace {

using results::IntervalSet;
using results::MemorySink;
using std::chrono::milliseconds;

FarmOptions quick_options() {
    FarmOptions options;
    options.sizing.target_seconds = 0.005;
    options.flush = {.rows = 64, .interval = milliseconds{20}};
    options.heartbeat = milliseconds{10};
    options.silence = milliseconds{5000};
    options.objectives = metrics::parse_objectives("iteration_time, mfu: maximize");
    return options;
}

/// A farm of threads, each with its own evaluator and its own sink.
class LocalFarm {
  public:
    using Before = std::function<void(int rank, std::uint64_t index)>;

    explicit LocalFarm(int ranks, Before before = {})
        : network_{ranks}, sinks_(static_cast<std::size_t>(ranks)) {
        for (auto& sink : sinks_) sink = std::make_unique<MemorySink>();
        for (int rank = 0; rank < ranks; ++rank) {
            evaluators_.push_back(std::make_unique<SampleEvaluator>([before, rank](std::uint64_t index) {
                if (before) before(rank, index);
            }));
        }
    }

    FarmSummary run(std::uint64_t size, const FarmOptions& options, const IntervalSet& covered = {},
                    const FarmHooks& hooks = {}) {
        std::vector<std::jthread> threads;
        for (std::size_t rank = 1; rank < sinks_.size(); ++rank) {
            threads.emplace_back([this, rank, options] {
                const auto channel = network_.channel(static_cast<int>(rank));
                work(*channel, *evaluators_[rank], *sinks_[rank], options);
            });
        }
        const auto channel = network_.channel(0);
        return coordinate(*channel, *evaluators_[0], *sinks_[0], {.size = size, .covered = covered}, options,
                          hooks);
    }

    [[nodiscard]] const MemorySink& sink(int rank) const { return *sinks_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] std::size_t ranks() const { return sinks_.size(); }

    /// All flushed records by point.
    [[nodiscard]] std::multimap<std::uint64_t, space::Record> records() const {
        std::multimap<std::uint64_t, space::Record> all;
        for (const auto& sink : sinks_) {
            for (const space::Record& record : sink->records()) all.emplace(record.point.id, record);
        }
        return all;
    }

  private:
    LocalNetwork network_;
    std::vector<std::unique_ptr<MemorySink>> sinks_;
    std::vector<std::unique_ptr<SampleEvaluator>> evaluators_;
};

bool same(double a, double b) {
    return a == b || (a != a && b != b);
}

void expect_answer(const space::Record& found, std::uint64_t index) {
    const auto expected = SampleEvaluator::expected(index);
    ASSERT_TRUE(expected) << index;
    EXPECT_EQ(found.status, expected->status) << index;
    EXPECT_EQ(found.reason, expected->reason) << index;
    EXPECT_EQ(found.point.values, expected->point.values) << index;
    EXPECT_TRUE(same(found.metrics.iteration_time, expected->metrics.iteration_time)) << index;
}

/// Each index of [first, last) that is not dropped has its row, once.
void expect_rows(const LocalFarm& farm, std::uint64_t first, std::uint64_t last) {
    const auto records = farm.records();
    std::size_t expected = 0;
    for (std::uint64_t index = first; index < last; ++index) {
        if (SampleEvaluator::dropped(index)) continue;
        ++expected;
        ASSERT_EQ(records.count(index), 1U) << index;
        expect_answer(records.find(index)->second, index);
    }
    EXPECT_EQ(records.size(), expected);
}

/// What sinks say they cover is all that was to be covered, with the right number of rows.
void expect_coverage(const LocalFarm& farm, std::uint64_t size) {
    std::vector<results::Interval> intervals;
    std::uint64_t rows = 0;
    for (int rank = 0; rank < static_cast<int>(farm.ranks()); ++rank) {
        for (const results::Coverage& coverage : farm.sink(rank).coverage()) {
            intervals.push_back({coverage.first, coverage.first + coverage.count});
            rows += coverage.rows;
        }
    }
    EXPECT_EQ(IntervalSet{intervals}.count(), size);
    EXPECT_EQ(rows, farm.records().size());
}

class Farm : public testing::TestWithParam<int> {};

TEST_P(Farm, EvaluatesEveryIndexOnce) {
    LocalFarm farm{GetParam()};
    Progress last;
    const FarmSummary summary =
        farm.run(5000, quick_options(), {}, {.progress = [&](const Progress& p) { last = p; }, .alive = {}});
    EXPECT_EQ(summary.outcome, Outcome::complete);
    expect_rows(farm, 0, 5000);
    expect_coverage(farm, 5000);
    EXPECT_EQ(last.tally.indices, 5000U);
    EXPECT_EQ(last.tally.rows, farm.records().size());
    EXPECT_EQ(last.total, 5000U);
    EXPECT_GT(last.front_size, 0U);
    EXPECT_EQ(last.lost, 0);
    const bool zero_worked = !farm.sink(0).records().empty();
    EXPECT_EQ(last.workers, GetParam() - 1 + (zero_worked ? 1 : 0));
}

TEST_P(Farm, LeavesOutWhatIsCovered) {
    LocalFarm farm{GetParam()};
    const IntervalSet covered{{{0, 1200}, {2000, 9000}}};
    const FarmSummary summary = farm.run(9000, quick_options(), covered);
    EXPECT_EQ(summary.progress.covered, 8200U);
    EXPECT_EQ(summary.progress.tally.indices, 800U);
    expect_rows(farm, 1200, 2000);
}

TEST_P(Farm, HasNothingToDoWithAnEmptySpace) {
    LocalFarm farm{GetParam()};
    EXPECT_EQ(farm.run(0, quick_options()).outcome, Outcome::complete);
    EXPECT_TRUE(farm.records().empty());
}

INSTANTIATE_TEST_SUITE_P(Ranks, Farm, testing::Values(1, 2, 4, 9));

/// Points that depend on the records of earlier ones, over real workers.
TEST_P(Farm, EvaluatesPointsThatAreMadeFromRecords) {
    LocalNetwork network{GetParam()};
    std::vector<MemorySink> sinks(static_cast<std::size_t>(GetParam()));
    ChainSource source{600, 20};
    FarmSummary summary;
    {
        std::vector<std::jthread> threads;
        for (int rank = 1; rank < GetParam(); ++rank) {
            threads.emplace_back([&, rank] {
                Doubler evaluator;
                work(*network.channel(rank), evaluator, sinks[static_cast<std::size_t>(rank)],
                     quick_options());
            });
        }
        Doubler evaluator;
        summary = coordinate(*network.channel(0), evaluator, sinks[0], {.size = 600, .source = &source},
                             quick_options(), {});
    }
    EXPECT_EQ(summary.outcome, Outcome::complete);
    EXPECT_EQ(summary.progress.tally.rows, 600U);
    std::map<std::uint64_t, int> rows;
    for (const MemorySink& sink : sinks) {
        for (const space::Record& record : sink.records()) ++rows[record.point.id];
    }
    EXPECT_EQ(rows.size(), 600U);
    for (std::uint64_t id = 0; id < 600; ++id) {
        EXPECT_EQ(source.answers().at(id), source.expected(id)) << id;
        EXPECT_EQ(source.told(id), 1) << id;
        EXPECT_EQ(rows[id], 1) << id;
    }
}

/// Holds points up until enough ranks have had one, so that a busy machine that starts a thread late finds
/// points left for it, and an idle one waits for nobody.
class RollCall {
  public:
    RollCall(int wanted, milliseconds pause) : wanted_{wanted}, pause_{pause} {}

    void answer(int rank) {
        if (!present_[static_cast<std::size_t>(rank)].exchange(true)) ++count_;
        if (count_ < wanted_) std::this_thread::sleep_for(pause_);
    }
    [[nodiscard]] int count() const { return count_; }

  private:
    int wanted_;
    milliseconds pause_;
    std::array<std::atomic<bool>, 4> present_{};
    std::atomic<int> count_{0};
};

TEST(FarmOfThreads, LetsEveryRankWork) {
    RollCall roll_call{4, milliseconds{5}};
    LocalFarm farm{4, [&](int rank, std::uint64_t) { roll_call.answer(rank); }};
    farm.run(2000, quick_options());
    expect_rows(farm, 0, 2000);
    EXPECT_EQ(roll_call.count(), 4);
    for (int rank = 0; rank < 4; ++rank) EXPECT_FALSE(farm.sink(rank).records().empty()) << rank;
}

TEST(FarmOfThreads, KeepsRankZeroFreeIfToldSo) {
    LocalFarm farm{3};
    FarmOptions options = quick_options();
    options.rank_zero = RankZero::never;
    farm.run(2000, options);
    EXPECT_TRUE(farm.sink(0).records().empty());
    expect_rows(farm, 0, 2000);
}

TEST(FarmOfThreads, BalancesPointsOfVeryUnequalCost) {
    // The last 20 of 400 points take long, the others nothing: with leases of equal size, one rank would get
    // them all.
    RollCall with_slow_points{3, milliseconds{200}};
    LocalFarm farm{4, [&](int rank, std::uint64_t index) {
                       if (index >= 380) with_slow_points.answer(rank);
                   }};
    farm.run(400, quick_options());
    EXPECT_GE(with_slow_points.count(), 3);
    expect_rows(farm, 0, 400);
}

class StopRequest {
  public:
    StopRequest() { clear_stop_request(); }
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;
    ~StopRequest() { clear_stop_request(); }
};

TEST(FarmOfThreads, StopsWithEveryFinishedRowFlushed) {
    const StopRequest guard;
    std::atomic<int> evaluated{0};
    LocalFarm farm{3, [&](int, std::uint64_t) {
                       std::this_thread::sleep_for(std::chrono::microseconds{300});
                       if (++evaluated == 300) request_stop();
                   }};
    const auto begin = std::chrono::steady_clock::now();
    const FarmSummary summary = farm.run(1'000'000'000, quick_options());
    EXPECT_EQ(summary.outcome, Outcome::stopped);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{5});
    EXPECT_EQ(farm.records().size(), static_cast<std::size_t>(evaluated.load()));
    for (const auto& [index, record] : farm.records()) expect_answer(record, index);
}

/// Takes some rows, then fails as a full disk does.
class FullSink final : public results::ResultSink {
  public:
    void write(std::span<const space::Record> records) override { rows_ += records.size(); }
    void cover(const results::Coverage&) override {}
    void flush() override {
        if (rows_ > 100) throw InputError("cannot write to 'shard': No space left on device");
    }

  private:
    std::size_t rows_{0};
};

TEST(FarmOfThreads, EndsWithTheErrorOfTheRankThatCannotStoreRows) {
    LocalNetwork network{2};
    FarmOptions options = quick_options();
    options.rank_zero = RankZero::never;
    std::jthread worker{[&] {
        const auto channel = network.channel(1);
        SampleEvaluator evaluator;
        FullSink sink;
        EXPECT_THROW(work(*channel, evaluator, sink, options), InputError);
    }};
    const auto channel = network.channel(0);
    SampleEvaluator evaluator;
    MemorySink sink;
    try {
        coordinate(*channel, evaluator, sink, {.size = 1'000'000'000}, options, {});
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    testing::HasSubstr("rank 1: cannot write to 'shard': No space left on device"));
    }
}

TEST(FarmOfThreads, TellsTheOthersWhenRankZeroCannotStoreRows) {
    LocalNetwork network{2};
    std::jthread worker{[&] {
        const auto channel = network.channel(1);
        SampleEvaluator evaluator;
        MemorySink sink;
        EXPECT_EQ(work(*channel, evaluator, sink, quick_options()).outcome, Outcome::stopped);
    }};
    const auto channel = network.channel(0);
    SampleEvaluator evaluator;
    FullSink sink;
    EXPECT_THROW(coordinate(*channel, evaluator, sink, {.size = 1'000'000'000}, quick_options(), {}),
                 InputError);
}

TEST(FarmOfThreads, HandsOutAgainWhatALostWorkerHeld) {
    // Rank 1 takes leases and is never heard of again.
    LocalNetwork network{3};
    FarmOptions options = quick_options();
    options.silence = milliseconds{100};
    const auto dead = network.channel(1);
    dead->send(0, Message{});  // "ready"
    MemorySink worker_sink;
    std::jthread worker{[&] {
        const auto channel = network.channel(2);
        SampleEvaluator evaluator;
        work(*channel, evaluator, worker_sink, options);
    }};
    const auto channel = network.channel(0);
    SampleEvaluator evaluator;
    MemorySink sink;
    const FarmSummary summary = coordinate(*channel, evaluator, sink, {.size = 3000}, options, {});
    EXPECT_EQ(summary.outcome, Outcome::complete);
    EXPECT_EQ(summary.progress.lost, 1);
    std::map<std::uint64_t, int> rows;
    for (const MemorySink* part : {&sink, &worker_sink}) {
        for (const space::Record& record : part->records()) ++rows[record.point.id];
    }
    for (std::uint64_t index = 0; index < 3000; ++index) {
        EXPECT_EQ(rows[index], SampleEvaluator::dropped(index) ? 0 : 1) << index;
    }
}

TEST(FarmOfThreads, AWorkerEndsItselfWhenRankZeroIsSilent) {
    LocalNetwork network{2};
    FarmOptions options = quick_options();
    options.orphaned = milliseconds{50};
    const auto channel = network.channel(1);
    SampleEvaluator evaluator;
    MemorySink sink;
    EXPECT_EQ(work(*channel, evaluator, sink, options).outcome, Outcome::stopped);
}

TEST(FarmOfThreads, RankZeroGoesOnAloneWhenNobodyComes) {
    LocalNetwork network{3};
    FarmOptions options = quick_options();
    options.silence = milliseconds{50};
    options.rank_zero = RankZero::never;
    const auto channel = network.channel(0);
    SampleEvaluator evaluator;
    MemorySink sink;
    EXPECT_EQ(coordinate(*channel, evaluator, sink, {.size = 70}, options, {}).outcome, Outcome::complete);
    EXPECT_EQ(sink.records().size(), 60U);  // one of seven is dropped
}

TEST(FarmOfThreads, TriesASuspectLastAndACondemnedPointNotAtAll) {
    const dse::test::TemporaryFolder folder;
    folder.write("crashes", "100\n200\n100\n");
    FarmOptions options = quick_options();
    options.crash_folder = folder.path();
    std::vector<std::uint64_t> order;
    LocalFarm farm{1, [&](int, std::uint64_t index) { order.push_back(index); }};
    EXPECT_EQ(farm.run(400, options).outcome, Outcome::complete);
    EXPECT_EQ(order.back(), 200U);
    EXPECT_EQ(std::count(order.begin(), order.end(), 100U), 0);
    EXPECT_EQ(std::count(order.begin(), order.end(), 200U), 1);
    expect_coverage(farm, 400);
    const auto records = farm.records();
    ASSERT_EQ(records.count(100), 1U);
    const space::Record& condemned = records.find(100)->second;
    EXPECT_EQ(condemned.status, space::Status::failed);
    EXPECT_EQ(condemned.reason, "evaluating it ended two processes");
    EXPECT_EQ(condemned.point.values, results::test::sample_record(100).point.values);
}

TEST(Dismiss, SendsTheOthersHome) {
    LocalNetwork network{2};
    Outcome outcome{};
    {
        std::jthread worker{[&] {
            const auto channel = network.channel(1);
            SampleEvaluator evaluator;
            MemorySink sink;
            outcome = work(*channel, evaluator, sink, quick_options()).outcome;
        }};
        dismiss(*network.channel(0), quick_options());
    }
    EXPECT_EQ(outcome, Outcome::stopped);
}

TEST(Refuse, SaysWhyAtTheFirstLease) {
    LocalNetwork network{2};
    FarmOptions options = quick_options();
    options.rank_zero = RankZero::never;
    std::jthread worker{[&] { refuse(*network.channel(1), "no such file", options); }};
    SampleEvaluator evaluator;
    MemorySink sink;
    try {
        coordinate(*network.channel(0), evaluator, sink, {.size = 1000}, options, {});
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "rank 1: no such file");
    }
}

TEST(Refuse, GoesHomeInSilence) {
    LocalNetwork network{2};
    const auto channel = network.channel(0);
    Message stop;
    stop.kind = MessageKind::stop;
    channel->send(1, stop);
    refuse(*network.channel(1), "no such file", quick_options());
    EXPECT_EQ(channel->try_receive()->kind, MessageKind::ready);
    EXPECT_EQ(channel->try_receive()->kind, MessageKind::closed);
    EXPECT_FALSE(channel->try_receive());
}

// Rank 0 may have removed the folder already when a late worker reads that it is not needed.
TEST(Dismiss, LeavesNoTraceOfThoseWhoWereNotNeeded) {
    const dse::test::TemporaryFolder folder;
    FarmOptions options = quick_options();
    options.crash_folder = folder.path("shards");
    options.drain = milliseconds{1};
    LocalNetwork network{2};
    dismiss(*network.channel(0), options);
    const auto channel = network.channel(1);
    SampleEvaluator evaluator;
    MemorySink sink;
    EXPECT_EQ(work(*channel, evaluator, sink, options).outcome, Outcome::stopped);
    EXPECT_FALSE(std::filesystem::exists(options.crash_folder));
}

// What rank 0 does when all are closed, it does with nobody else in the folder.
TEST(FarmOfThreads, AWorkerHasLeftTheFolderWhenItSaysThatItIsClosed) {
    const dse::test::TemporaryFolder folder;
    FarmOptions options = quick_options();
    options.crash_folder = folder.path();
    LocalNetwork network{2};
    const auto channel = network.channel(0);
    std::jthread worker{[&] {
        SampleEvaluator evaluator;
        MemorySink sink;
        work(*network.channel(1), evaluator, sink, options);
    }};
    Message lease;
    lease.kind = MessageKind::lease;
    lease.range = {0, 10};
    channel->send(1, lease);
    Message finish;
    finish.kind = MessageKind::finish;
    std::optional<Message> heard;
    while (!heard || heard->kind != MessageKind::committed) heard = channel->try_receive();
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
    channel->send(1, finish);
    while (!heard || heard->kind != MessageKind::closed) heard = channel->try_receive();
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace dse::dist::test
