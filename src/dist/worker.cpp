#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <unistd.h>

#include "dist/backoff.hpp"
#include "dist/candidate_filter.hpp"
#include "dist/wire.hpp"
#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/dist/farm.hpp"
#include "dse/dist/stop_signal.hpp"

namespace dse::dist {
namespace {

using Clock = LeaseRunner::Clock;

/// Interval between checks of messages and signals.
constexpr std::chrono::milliseconds slice{5};

class Worker {
  public:
    Worker(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink, const FarmOptions& options)
        : channel_{&channel},
          options_{&options},
          runner_{evaluator, sink, options.flush},
          candidates_{{options.objectives, options.more_metrics}} {
        runner_.observe([this](const space::Record& record) {
            candidates_.look_at(record);
            if (returns_records_) append(records_, record);
        });
    }

    WorkSummary run() {
        send(MessageKind::ready);
        Backoff backoff;
        while (!finished_) {
            const bool heard = receive_all();
            if (orphaned()) lost_ = std::max(lost_, 1);
            if (stop_requested() || orphaned()) stopped_ = true;
            if (stopped_) break;
            if (runner_.idle()) {
                flush_when_idle();
                if (!heard) backoff.wait();
            } else {
                backoff.reset();
                runner_.run(slice);
            }
            report();
        }
        close();
        return {stopped_ ? Outcome::stopped : Outcome::complete, lost_};
    }

  private:
    bool receive_all() {
        bool heard = false;
        while (const auto message = channel_->try_receive()) {
            heard = true;
            last_heard_ = Clock::now();
            lost_ = message->lost;
            handle(*message);
        }
        return heard;
    }

    void handle(const Message& message) {
        switch (message.kind) {
            case MessageKind::lease:
                add(message);
                break;
            case MessageKind::finish:
                finished_ = true;
                break;
            case MessageKind::stop:
                stopped_ = true;
                break;
            case MessageKind::heartbeat:
                break;
            default:
                DSE_REQUIRE(!"a message that only rank 0 receives");
        }
    }

    void add(const Message& lease) {
        name_points();
        if (!lease.body.empty()) returns_records_ = true;
        runner_.add(lease.range, trials_of(lease.body));
        flushed_when_idle_ = false;
    }

    /// Called with the first lease and not before: a worker that is dismissed, perhaps late, must not leave a
    /// file in a folder that rank 0 has cleared.
    void name_points() {
        if (crash_record_ || options_->crash_folder.empty()) return;
        crash_record_.emplace(options_->crash_folder, channel_->rank());
        runner_.name_points_in(&*crash_record_);
    }

    /// Rank 0 waits for the last rows, so an idle worker writes them to disk at once.
    void flush_when_idle() {
        if (flushed_when_idle_) return;
        runner_.flush();
        flushed_when_idle_ = true;
    }

    void report() {
        const auto evaluated = runner_.take_evaluated();
        const auto committed = runner_.take_committed();
        const bool due = Clock::now() - last_report_ >= options_->heartbeat;
        if (evaluated.empty() && committed.empty() && !due) return;
        last_report_ = Clock::now();
        for (const EvaluatedLease& lease : evaluated)
            send(MessageKind::evaluated, lease.range, lease.busy_seconds);
        for (const Range& range : committed) send(MessageKind::committed, range);
        if (const auto candidates = candidates_.take()) channel_->send(0, *candidates);
        if (evaluated.empty() && committed.empty()) send(MessageKind::progress);
    }

    /// The first message after an evaluation carries its records, and precedes the commit of their rows.
    void send(MessageKind kind, const Range& range = {}, double busy_seconds = 0.0) {
        Message message;
        message.kind = kind;
        message.range = range;
        message.busy_seconds = busy_seconds;
        message.tally = runner_.take_tally();
        message.body = std::exchange(records_, {});
        channel_->send(0, message);
    }

    /// As soon as rank 0 receives that this worker is closed, it may clear the folder.
    void close() {
        runner_.drop_leases();
        runner_.flush();
        report();
        runner_.name_points_in(nullptr);
        crash_record_.reset();
        send(MessageKind::closed);
    }

    [[nodiscard]] bool orphaned() const {
        return getppid() != parent_ || Clock::now() - last_heard_ > options_->orphaned;
    }

    Channel* channel_;
    const FarmOptions* options_;
    std::optional<CrashRecord> crash_record_;
    LeaseRunner runner_;
    CandidateFilter candidates_;
    bool returns_records_{false};  ///< rank 0 sends points, not indices
    std::string records_;          ///< not sent yet
    pid_t parent_{getppid()};
    Clock::time_point last_heard_{Clock::now()};
    Clock::time_point last_report_{Clock::now()};
    bool flushed_when_idle_{true};
    bool finished_{false};
    bool stopped_{false};
    int lost_{0};
};

}  // namespace

WorkSummary work(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink,
                 const FarmOptions& options) {
    try {
        return Worker{channel, evaluator, sink, options}.run();
    } catch (const std::exception& error) {
        Message message;
        message.kind = MessageKind::broken;
        message.body = error.what();
        channel.send(0, message);
        throw;
    }
}

}  // namespace dse::dist
