// Rank 0 against workers that are played message by message; tests/dist/farm_test.cpp has real ones.
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dist/sample_evaluator.hpp"
#include "dist/sample_source.hpp"
#include "dist/wire.hpp"
#include "dse/dist/farm.hpp"
#include "dse/dist/local_channel.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/memory_sink.hpp"
#include "support/temporary_folder.hpp"

namespace dse::dist::test {
namespace {

using results::MemorySink;
using std::chrono::milliseconds;
using testing::ElementsAre;

/// A worker that says what the test says.
class PlayedWorker {
  public:
    PlayedWorker(LocalNetwork& network, int rank) : channel_{network.channel(rank)} {}

    void say(MessageKind kind, const Range& range = {}, std::string body = {}) {
        Message message;
        message.kind = kind;
        message.range = range;
        message.busy_seconds = 1.0;
        message.body = std::move(body);
        channel_->send(0, message);
    }

    /// The next message that is no sign of life; it gives some while it waits.
    Message heard() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
        while (std::chrono::steady_clock::now() < end) {
            const auto message = channel_->try_receive();
            if (!message) {
                say(MessageKind::progress);
                std::this_thread::sleep_for(milliseconds{5});
            } else if (message->kind != MessageKind::heartbeat) {
                return *message;
            }
        }
        throw std::runtime_error("rank 0 says nothing");
    }

    std::vector<Trial> leased() {
        const Message message = heard();
        EXPECT_EQ(message.kind, MessageKind::lease);
        std::vector<Trial> trials = trials_of(message.body);
        EXPECT_EQ(trials.size(), message.range.count);
        return trials;
    }

    void answer(MessageKind kind, const std::vector<Trial>& trials) {
        std::string body;
        for (const Trial& trial : trials) append(body, Doubler::answer(trial));
        say(kind, {trials.front().point.id, trials.size()}, body);
    }

    /// Stays alive until so many ranks are lost.
    void wait_for_losses(int losses) {
        while (true) {
            const auto message = channel_->try_receive();
            if (message && message->lost >= losses) return;
            say(MessageKind::progress);
            std::this_thread::sleep_for(milliseconds{5});
        }
    }

    void go_home() {
        EXPECT_EQ(heard().kind, MessageKind::finish);
        say(MessageKind::closed);
    }

  private:
    std::unique_ptr<Channel> channel_;
};

class CoordinatorTest : public testing::Test {
  protected:
    /// \param workers  that there are: rank 0 waits for one that never speaks until it takes it for lost
    explicit CoordinatorTest(int workers = 2) : network_{1 + workers} {
        clear_stop_request();
        options_.rank_zero = RankZero::never;
        options_.heartbeat = milliseconds{5};
        options_.silence = milliseconds{20'000};
        options_.sizing.most = 1;
        options_.objectives = metrics::parse_objectives("iteration_time, energy");
    }

    void start(TrialSource& source, std::uint64_t size) {
        summary_ = std::async(std::launch::async, [&, size] {
            return coordinate(*network_.channel(0), doubler_, sink_, {.size = size, .source = &source},
                              options_, {});
        });
    }
    void start(std::uint64_t size) {
        summary_ = std::async(std::launch::async, [&, size] {
            return coordinate(*network_.channel(0), evaluator_, sink_, {.size = size}, options_, {});
        });
    }

    FarmOptions options_;
    LocalNetwork network_;
    Doubler doubler_;
    SampleEvaluator evaluator_;
    MemorySink sink_;
    std::future<FarmSummary> summary_;
};

class CoordinatorOfOneTest : public CoordinatorTest {
  protected:
    CoordinatorOfOneTest() : CoordinatorTest{1} {}
};

TEST_F(CoordinatorOfOneTest, HandsOutIndicesWithoutABody) {
    PlayedWorker worker{network_, 1};
    worker.say(MessageKind::ready);
    start(2);
    for (std::uint64_t index = 0; index < 2; ++index) {
        const Message lease = worker.heard();
        EXPECT_EQ(lease.kind, MessageKind::lease);
        EXPECT_EQ(lease.range, (Range{index, 1}));
        EXPECT_TRUE(lease.body.empty());
    }
    worker.say(MessageKind::committed, {0, 2});
    worker.go_home();
    EXPECT_EQ(summary_.get().outcome, Outcome::complete);
}

TEST_F(CoordinatorOfOneTest, DrawsPointsAsTheRecordsOfEarlierOnesComeBack) {
    ChainSource source{3, 1};
    source.ask_at({4});
    PlayedWorker worker{network_, 1};
    worker.say(MessageKind::ready);
    start(source, 3);
    const auto first = worker.leased();
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].point.id, 0U);
    EXPECT_EQ(first[0].fidelity, Fidelity{4});
    worker.answer(MessageKind::evaluated, first);
    const auto second = worker.leased();  // before anything is on disk
    EXPECT_THAT(second.at(0).point.values, ElementsAre(source.expected(0) + 1.0));
    worker.say(MessageKind::committed, {0, 1});
    worker.answer(MessageKind::progress, second);
    const auto third = worker.leased();
    worker.say(MessageKind::evaluated, {1, 1});
    worker.answer(MessageKind::committed, third);
    worker.say(MessageKind::committed, {1, 1});
    worker.say(MessageKind::committed, {2, 1});
    // The commit of 2 came before that of 1: leases are committed in the order of their handing out.
    worker.go_home();
    EXPECT_EQ(summary_.get().outcome, Outcome::complete);
    for (std::uint64_t id = 0; id < 3; ++id) EXPECT_EQ(source.answers().at(id), source.expected(id));
}

TEST_F(CoordinatorTest, HandsOutAgainThePointsOfALostWorkerThatAreNotOnDisk) {
    options_.sizing.most = 3;
    options_.sizing.first = 3;
    options_.sizing.least = 3;
    options_.silence = milliseconds{200};
    ChainSource source{3, 3};
    PlayedWorker lost{network_, 1};
    lost.say(MessageKind::ready);
    start(source, 3);
    const auto trials = lost.leased();
    ASSERT_EQ(trials.size(), 3U);
    lost.answer(MessageKind::progress, trials);
    lost.say(MessageKind::committed, {0, 1});
    PlayedWorker other{network_, 2};
    other.say(MessageKind::ready);
    const auto again = other.leased();
    ASSERT_EQ(again.size(), 2U);
    EXPECT_EQ(again[0].point.id, 1U);
    EXPECT_EQ(again[0].point.values, trials[1].point.values);
    EXPECT_EQ(again[1].point.id, 2U);
    other.answer(MessageKind::committed, again);
    other.go_home();
    lost.say(MessageKind::closed);
    const FarmSummary summary = summary_.get();
    EXPECT_EQ(summary.outcome, Outcome::complete);
    EXPECT_EQ(source.told(0), 1);
    EXPECT_EQ(source.told(1), 2) << "the source hears it twice";
    for (std::uint64_t id = 0; id < 3; ++id) EXPECT_EQ(source.answers().at(id), source.expected(id));
}

TEST_F(CoordinatorTest, KeepsWhatASlowWorkerPutOnDiskAfterItWasTakenForLost) {
    options_.silence = milliseconds{200};
    ChainSource source{4, 4};
    PlayedWorker slow{network_, 1};
    slow.say(MessageKind::ready);
    start(source, 4);
    const auto zero = slow.leased();
    const auto one = slow.leased();
    PlayedWorker busy{network_, 2};
    busy.say(MessageKind::ready);
    const auto two = busy.leased();
    const auto three = busy.leased();
    busy.wait_for_losses(1);  // 0 and 1 are taken back, and nobody wants them yet
    slow.answer(MessageKind::committed, zero);
    const auto again = slow.leased();
    EXPECT_EQ(again.at(0).point.id, 1U) << "0 is on disk";
    slow.answer(MessageKind::committed, again);
    busy.answer(MessageKind::committed, two);
    busy.answer(MessageKind::committed, three);
    slow.go_home();
    busy.go_home();
    const FarmSummary summary = summary_.get();
    EXPECT_EQ(summary.outcome, Outcome::complete);
    EXPECT_EQ(summary.progress.lost, 0) << "it is back";
    EXPECT_EQ(source.answers().size(), 4U);
}

TEST_F(CoordinatorOfOneTest, TellsTheSourceOfAPointThatEndsProcesses) {
    const dse::test::TemporaryFolder folder;
    folder.write("crashes", "1\n1\n");
    options_.crash_folder = folder.path();
    ChainSource source{3, 3};
    PlayedWorker worker{network_, 1};
    worker.say(MessageKind::ready);
    start(source, 3);
    for (const std::uint64_t id : {0, 2}) {
        const auto trials = worker.leased();
        EXPECT_EQ(trials.at(0).point.id, id);
        worker.answer(MessageKind::committed, trials);
    }
    worker.go_home();
    EXPECT_EQ(summary_.get().outcome, Outcome::complete);
    EXPECT_EQ(source.status(1), space::Status::failed);
    ASSERT_EQ(sink_.records().size(), 1U);
    EXPECT_EQ(sink_.records()[0].point.id, 1U);
    EXPECT_THAT(sink_.records()[0].point.values, ElementsAre(1.0));
}

TEST_F(CoordinatorOfOneTest, CountsTheFrontOfItsWorkers) {
    PlayedWorker worker{network_, 1};
    worker.say(MessageKind::ready);
    start(1);
    EXPECT_EQ(worker.heard().kind, MessageKind::lease);
    std::string costs;
    append(costs, std::vector<double>{1.0, 4.0, 2.0, 2.0, 3.0, 3.0});
    worker.say(MessageKind::candidates, {0, 2}, costs);
    worker.say(MessageKind::committed, {0, 1});
    worker.go_home();
    EXPECT_EQ(summary_.get().progress.front_size, 2U) << "(3, 3) is dominated";
}

TEST_F(CoordinatorTest, AWorkerThatClosesUnaskedStopsAll) {
    PlayedWorker worker{network_, 1};
    PlayedWorker other{network_, 2};
    worker.say(MessageKind::ready);
    other.say(MessageKind::ready);
    start(1000);
    EXPECT_EQ(other.heard().kind, MessageKind::lease);
    worker.say(MessageKind::closed);
    EXPECT_EQ(other.heard().kind, MessageKind::lease);
    EXPECT_EQ(other.heard().kind, MessageKind::stop);
    other.say(MessageKind::closed);
    EXPECT_EQ(summary_.get().outcome, Outcome::stopped);
}

}  // namespace
}  // namespace dse::dist::test
