#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "dist/backoff.hpp"
#include "dist/leaseholder.hpp"
#include "dist/progress_meter.hpp"
#include "dist/suspects.hpp"
#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/dist/farm.hpp"
#include "dse/dist/front_sample.hpp"
#include "dse/dist/stop_signal.hpp"

namespace dse::dist {
namespace {

using Clock = LeaseRunner::Clock;

/// How long rank 0 evaluates before it looks at its messages.
constexpr std::chrono::milliseconds slice_beside_workers{2};
constexpr std::chrono::milliseconds slice_alone{50};

results::IntervalSet with_suspects(const results::IntervalSet& covered, const Suspects& suspects) {
    std::vector<results::Interval> all = covered.intervals();
    for (const auto& indices : {suspects.once(), suspects.condemned()}) {
        for (const std::uint64_t index : indices) all.push_back({index, index + 1});
    }
    return results::IntervalSet{std::move(all)};
}

class Coordinator {
  public:
    Coordinator(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink, std::uint64_t size,
                const results::IntervalSet& covered, const FarmOptions& options, const FarmHooks& hooks)
        : channel_{&channel},
          options_{&options},
          hooks_{&hooks},
          evaluator_{&evaluator},
          suspects_{options.crash_folder, covered.gaps(size)},
          queue_{size, with_suspects(covered, suspects_)},
          runner_{evaluator, sink, options.flush},
          objectives_{options.objectives},
          meter_{size, size - covered.gaps(size).count()} {
        objectives_.resize(std::min(objectives_.size(), Message::max_costs));
        runner_.observe([this](const space::Record& record) { look_at(record); });
        if (!options.crash_folder.empty()) {
            crash_record_.emplace(options.crash_folder, channel.rank());
            runner_.name_points_in(&*crash_record_);
        }
    }

    FarmSummary run() {
        Backoff backoff;
        deal_with_suspects();
        while (!complete()) {
            const bool heard = receive_all();
            if (stop_requested() || getppid() != parent_) stopped_ = true;
            if (stopped_ || !broken_.empty()) break;
            give_signs_of_life();
            look_for_lost_workers();
            hand_out_leases();
            if (evaluates()) {
                run_own_slice();
            } else if (heard) {
                backoff.reset();
            } else {
                backoff.wait();
            }
            show_progress();
        }
        return close();
    }

    /// After an exception of its own: nobody shall go on.
    void stop_workers() {
        closing_ = true;
        greet_latecomers();
        tell_all(MessageKind::stop);
        wait_for_workers();
    }

  private:
    // --- messages
    // -------------------------------------------------------------------------------------------

    bool receive_all() {
        bool heard = false;
        while (const auto message = channel_->try_receive()) {
            heard = true;
            handle(*message);
        }
        return heard;
    }

    void handle(const Message& message) {
        Leaseholder& worker = workers_[message.sender];
        worker.heard();
        meter_.add(message.tally);
        switch (message.kind) {
            case MessageKind::ready:
            case MessageKind::progress:
                break;
            case MessageKind::evaluated:
                worker.evaluated(message.range, message.busy_seconds);
                break;
            case MessageKind::committed:
                worker.committed(message.range);
                break;
            case MessageKind::candidate:
                front_.admit({message.costs.data(), message.range.count});
                break;
            case MessageKind::closed:
                on_closed(worker);
                break;
            case MessageKind::broken:
                on_broken(message, worker);
                break;
            default:
                DSE_REQUIRE(!"a message that only workers receive");
        }
    }

    /// A worker that closes before it was told to has got a signal, which is meant for all.
    void on_closed(Leaseholder& worker) {
        worker.close();
        if (!closing_) stopped_ = true;
    }

    void on_broken(const Message& message, Leaseholder& worker) {
        worker.close();
        broken_ = fmt::format("rank {}: {}", message.sender, message.text_view());
    }

    void send(int to, MessageKind kind, const Range& range = {}) {
        Message message;
        message.kind = kind;
        message.range = range;
        message.lost = lost_workers();
        channel_->send(to, message);
    }

    void tell_all(MessageKind kind) {
        for (const auto& [rank, worker] : workers_) {
            if (!worker.closed()) send(rank, kind);
        }
    }

    void give_signs_of_life() {
        if (hooks_->alive) hooks_->alive();
        if (Clock::now() - last_heartbeat_ < options_->heartbeat) return;
        last_heartbeat_ = Clock::now();
        tell_all(MessageKind::heartbeat);
    }

    // --- leases
    // ---------------------------------------------------------------------------------------------

    void look_for_lost_workers() {
        for (auto& [rank, worker] : workers_) {
            if (worker.lost() || !worker.silent_for(options_->silence)) continue;
            for (const Range& range : worker.lose()) take_back(range, suspects_.at_work(rank, range));
        }
    }

    /// The point that a lost worker was at is kept apart from the rest of its leases.
    void take_back(const Range& range, std::optional<std::uint64_t> suspect) {
        if (!suspect) {
            queue_.give_back(range);
            return;
        }
        queue_.give_back({*suspect + 1, range.first + range.count - *suspect - 1});
        queue_.give_back({range.first, *suspect - range.first});
        if (suspects_.strike(*suspect)) {
            condemn(*suspect);
        } else {
            queue_.postpone({*suspect, 1});
        }
    }

    void deal_with_suspects() {
        for (const std::uint64_t index : suspects_.once()) queue_.postpone({index, 1});
        for (const std::uint64_t index : suspects_.condemned()) condemn(index);
    }

    void condemn(std::uint64_t index) {
        std::optional<space::Point> point = evaluator_->point(index);
        std::optional<space::Record> record;
        if (point) {
            record.emplace();
            record->point = std::move(*point);
            record->status = space::Status::failed;
            record->reason = "evaluating it ended two processes";
        }
        runner_.settle(index, std::move(record));
        settle_own();
    }

    void hand_out_leases() {
        for (auto& [rank, worker] : workers_) {
            while (worker.wants_lease()) {
                const auto lease = queue_.next(lease_size(worker.rate()));
                if (!lease) return;
                worker.lease(*lease);
                send(rank, MessageKind::lease, *lease);
            }
        }
        if (!evaluates() || !own_.wants_lease()) return;
        if (const auto lease = queue_.next(lease_size(own_.rate()))) {
            own_.lease(*lease);
            runner_.add(*lease);
        }
    }

    [[nodiscard]] std::uint64_t lease_size(double rate) const {
        const auto sharing = static_cast<std::uint64_t>(active_workers() + (evaluates() ? 1 : 0));
        return options_->sizing.size(queue_.remaining(), std::max<std::uint64_t>(sharing, 1), rate);
    }

    [[nodiscard]] int active_workers() const {
        return static_cast<int>(std::count_if(workers_.begin(), workers_.end(),
                                              [](const auto& entry) { return entry.second.active(); }));
    }

    [[nodiscard]] bool evaluates() const {
        if (active_workers() == 0 && !workers_may_come()) return true;
        if (options_->rank_zero == RankZero::never || !everybody_is_here()) return false;
        return options_->rank_zero == RankZero::always || channel_->size() <= options_->few_ranks;
    }

    /// Rank 0 begins with the others: it is there first, and would take most of a small sweep for itself.
    [[nodiscard]] bool everybody_is_here() const {
        return static_cast<int>(workers_.size()) + 1 >= channel_->size() ||
               Clock::now() - begin_ > options_->silence / 60;
    }

    [[nodiscard]] bool workers_may_come() const {
        return channel_->size() > 1 && workers_.empty() && Clock::now() - begin_ < options_->silence;
    }

    void run_own_slice() {
        if (runner_.idle()) {
            flush_own();
            return;
        }
        took_part_ = true;
        runner_.run(active_workers() > 0 ? slice_beside_workers : slice_alone);
        settle_own();
    }

    void flush_own() {
        if (!own_.holds_leases()) {
            std::this_thread::sleep_for(std::chrono::microseconds{200});
            return;
        }
        runner_.flush();
        settle_own();
    }

    void settle_own() {
        meter_.add(runner_.take_tally());
        for (const EvaluatedLease& lease : runner_.take_evaluated())
            own_.evaluated(lease.range, lease.busy_seconds);
        for (const Range& range : runner_.take_committed()) own_.committed(range);
    }

    void look_at(const space::Record& record) {
        if (record.status == space::Status::ok && !objectives_.empty()) {
            front_.admit(metrics::costs(record.metrics, objectives_));
        }
    }

    [[nodiscard]] bool complete() const {
        const auto busy = [](const auto& entry) { return entry.second.holds_leases(); };
        return queue_.remaining() == 0 && !own_.holds_leases() &&
               std::none_of(workers_.begin(), workers_.end(), busy);
    }

    // --- the end
    // --------------------------------------------------------------------------------------------

    FarmSummary close() {
        closing_ = true;
        const bool good = !stopped_ && broken_.empty();
        greet_latecomers();
        tell_all(good ? MessageKind::finish : MessageKind::stop);
        runner_.drop_leases();
        runner_.flush();
        settle_own();
        wait_for_workers();
        if (!broken_.empty()) throw InputError(broken_);
        const Progress last = progress();
        if (hooks_->progress) hooks_->progress(last);
        return {good ? Outcome::complete : Outcome::stopped, last};
    }

    /// A rank that has not yet said that it is ready must be told as well.
    void greet_latecomers() {
        for (int rank = 1; rank < channel_->size(); ++rank) workers_[rank];
    }

    void wait_for_workers() {
        const auto open = [](const auto& entry) { return !entry.second.closed() && !entry.second.lost(); };
        const Clock::time_point end = Clock::now() + (stopped_ ? options_->drain : options_->silence);
        Backoff backoff;
        while (std::any_of(workers_.begin(), workers_.end(), open) && Clock::now() < end) {
            if (!receive_all()) backoff.wait();
            if (hooks_->alive) hooks_->alive();
        }
    }

    // --- progress
    // -------------------------------------------------------------------------------------------

    [[nodiscard]] Progress progress() const {
        Progress now = meter_.now();
        now.front_size = front_.size();
        now.lost = lost_workers();
        now.workers = static_cast<int>(workers_.size()) - now.lost + (took_part_ ? 1 : 0);
        return now;
    }

    [[nodiscard]] int lost_workers() const {
        return static_cast<int>(std::count_if(workers_.begin(), workers_.end(),
                                              [](const auto& entry) { return entry.second.lost(); }));
    }

    void show_progress() {
        if (!hooks_->progress || Clock::now() - last_progress_ < options_->progress) return;
        last_progress_ = Clock::now();
        meter_.sample();
        hooks_->progress(progress());
    }

    Channel* channel_;
    const FarmOptions* options_;
    const FarmHooks* hooks_;
    PointEvaluator* evaluator_;
    Suspects suspects_;
    LeaseQueue queue_;
    std::optional<CrashRecord> crash_record_;
    LeaseRunner runner_;
    std::vector<metrics::Objective> objectives_;
    ProgressMeter meter_;
    FrontSample front_;
    Leaseholder own_;
    std::map<int, Leaseholder> workers_;
    pid_t parent_{getppid()};
    Clock::time_point begin_{Clock::now()};
    Clock::time_point last_heartbeat_{Clock::now()};
    Clock::time_point last_progress_{Clock::now()};
    std::string broken_;
    bool took_part_{false};  ///< rank 0 evaluated something itself
    bool stopped_{false};
    bool closing_{false};
};

}  // namespace

FarmSummary coordinate(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink,
                       std::uint64_t size, const results::IntervalSet& covered, const FarmOptions& options,
                       const FarmHooks& hooks) {
    std::optional<Coordinator> coordinator;
    try {
        coordinator.emplace(channel, evaluator, sink, size, covered, options, hooks);
    } catch (...) {
        dismiss(channel, options);
        throw;
    }
    try {
        return coordinator->run();
    } catch (...) {
        coordinator->stop_workers();
        throw;
    }
}

void dismiss(Channel& channel, const FarmOptions& options) {
    Message message;
    message.kind = MessageKind::stop;
    for (int rank = 1; rank < channel.size(); ++rank) channel.send(rank, message);
    int open = channel.size() - 1;
    Backoff backoff;
    for (const Clock::time_point end = Clock::now() + options.drain; open > 0 && Clock::now() < end;) {
        const auto answer = channel.try_receive();
        if (!answer) {
            backoff.wait();
        } else if (answer->kind == MessageKind::closed) {
            --open;
        }
    }
}

}  // namespace dse::dist
